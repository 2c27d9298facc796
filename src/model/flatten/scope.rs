//! Names: the tree of paths (`m`, `m.sub`, `m.sub.x`), what each path denotes, and constants.
//!
//! A dotted declaration such as `p.k : boolean` (flat models have them) makes the inner paths
//! without symbols, so that `p.k` resolves the same whether `p` is an instance or a mere prefix.

use crate::model::{SymId, VarId};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smv_grammar::ast;

/// A path of the instance tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathId(pub u32);

/// The path of `main`.
pub const ROOT: PathId = PathId(0);

/// Index into [`super::Flattener`]'s table of definitions, before they are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DefId(pub u32);

/// Index into the table of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayId(pub u32);

/// Index into the table of actual parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParamId(pub u32);

/// What a path denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    Var(VarId),
    Define(DefId),
    Array(ArrayId),
    Instance,
    Param(ParamId),
}

/// A declared array: variables or an array DEFINE.
#[derive(Clone, Debug)]
pub struct ArrayDecl {
    pub lo: i64,
    pub cells: Vec<Symbol>,
}

#[derive(Debug)]
struct Path {
    parent: PathId,
    name: ast::Name,
    symbol: Option<Symbol>,
}

/// All names of a model.
#[derive(Debug)]
pub struct Scope {
    names: IndexSet<String, FxBuildHasher>,
    paths: Vec<Path>,
    children: FxHashMap<(PathId, ast::Name), PathId>,
    constants: FxHashMap<ast::Name, SymId>,
}

impl Scope {
    /// A scope with nothing but `main`; names are those of the source tree.
    pub fn new(ast: &ast::Ast) -> Self {
        Scope {
            names: ast.names.clone(),
            paths: vec![Path {
                parent: ROOT,
                name: ast::Name(u32::MAX),
                symbol: Some(Symbol::Instance),
            }],
            children: FxHashMap::default(),
            constants: FxHashMap::default(),
        }
    }

    pub fn intern(&mut self, text: &str) -> ast::Name {
        match self.names.get_index_of(text) {
            Some(i) => ast::Name(i as u32),
            None => ast::Name(self.names.insert_full(text.to_owned()).0 as u32),
        }
    }

    pub fn name(&self, n: ast::Name) -> &str {
        &self.names[n.0 as usize]
    }

    /// The path `parent.name`, if anything made it.
    pub fn child(&self, parent: PathId, name: ast::Name) -> Option<PathId> {
        self.children.get(&(parent, name)).copied()
    }

    /// The segments of a dotted or indexed name as declared: `a.b[0]` is `a`, `b`, `[0]`.
    pub fn segments(&mut self, name: ast::Name) -> Vec<ast::Name> {
        let text = self.name(name).to_owned();
        let mut parts = vec![String::new()];
        let mut quoted = false;
        for c in text.chars() {
            quoted ^= c == '"';
            match c {
                '.' if !quoted => parts.push(String::new()),
                '[' if !quoted => parts.push("[".to_owned()),
                c => {
                    if let Some(last) = parts.last_mut() {
                        last.push(c);
                    }
                }
            }
        }
        parts.iter().map(|p| self.intern(p)).collect()
    }

    /// The path `parent.name`, made if new.
    pub fn make_child(&mut self, parent: PathId, name: ast::Name) -> PathId {
        *self.children.entry((parent, name)).or_insert_with(|| {
            self.paths.push(Path {
                parent,
                name,
                symbol: None,
            });
            PathId(self.paths.len() as u32 - 1)
        })
    }

    /// The path of `parent[i]`, if it was declared by that name.
    pub fn indexed(&self, parent: PathId, i: i64) -> Option<PathId> {
        let name = self.names.get_index_of(&format!("[{i}]"))?;
        self.child(parent, ast::Name(name as u32))
    }

    pub fn symbol(&self, path: PathId) -> Option<Symbol> {
        self.paths[path.0 as usize].symbol
    }

    pub fn set_symbol(&mut self, path: PathId, symbol: Symbol) {
        self.paths[path.0 as usize].symbol = Some(symbol);
    }

    /// `m.sub.x`; empty for `main`.
    pub fn full_name(&self, mut path: PathId) -> String {
        let mut parts = Vec::new();
        while path != ROOT {
            let p = &self.paths[path.0 as usize];
            parts.push(self.name(p.name));
            path = p.parent;
        }
        parts.reverse();
        parts.join(".").replace(".[", "[")
    }

    /// `name` as seen from `context`, whether or not it exists.
    pub fn qualified(&self, context: PathId, name: &str) -> String {
        match self.full_name(context) {
            c if c.is_empty() => name.to_owned(),
            c => format!("{c}.{name}"),
        }
    }

    pub fn constant(&self, name: ast::Name) -> Option<SymId> {
        self.constants.get(&name).copied()
    }

    pub fn add_constant(&mut self, name: ast::Name, sym: SymId) {
        self.constants.insert(name, sym);
    }
}
