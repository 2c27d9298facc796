//! What operands may be: NuSMV checks it while it reads.

/// What a node may be, as bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Class(pub(super) u8);

impl Class {
    pub(super) const NUMERIC: Class = Class(1);
    pub(super) const BOOLEAN: Class = Class(2);
    pub(super) const WORD: Class = Class(4);
    pub(super) const LIST: Class = Class(8);
    pub(super) const FL: Class = Class(16);
    pub(super) const OBE: Class = Class(32);
    /// Of a name, which may be of any class.
    pub(super) const NAME: Class = Class(0);

    pub(super) const NUMERIC_OR_WORD: Class = Class(1 | 4);
    pub(super) const BOOLEAN_OR_WORD: Class = Class(2 | 4);

    pub(super) fn text(self) -> String {
        let names = [
            "Numeric",
            "Boolean",
            "Word",
            "List",
            "FL Property",
            "OBE Property",
        ];
        let all = names.iter().enumerate();
        let own: Vec<&str> = all
            .filter(|(i, _)| self.0 >> i & 1 == 1)
            .map(|(_, n)| *n)
            .collect();
        if own.is_empty() {
            return "Identifier".to_owned();
        }
        own.join(" or ")
    }
}
