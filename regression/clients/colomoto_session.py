"""colomoto-jupyter's nusmv module with a program named NuSMV on the PATH."""

import os
import tempfile

import nusmv

MODEL = """MODULE main
VAR gene : boolean; level : 0..2;
ASSIGN
  init(level) := 0;
  next(level) := case gene & level < 2 : level + 1; !gene & level > 0 : level - 1; TRUE : level; esac;
  next(gene) := {gene, level < 2};
CTLSPEC AG (EF level = 0)
"""

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.smv")
    with open(path, "w") as file:
        file.write(MODEL)
    model = nusmv.load(path)
    found = model.verify()
    assert list(found.items()) == [("AG (EF level = 0)", True)], found
    model.add_ctl("EF level = 2", name="up")
    model.add_ctls({"stuck": "AF (AG level = 0)", "low": "AG level < 2"})
    model.add_ltl("G (level = 0 -> X level < 2)", name="steps")
    found = model.verify()
    custom = {key: found[key] for key in ("up", "stuck", "low", "steps")}
    assert custom == {"up": True, "stuck": False, "low": False, "steps": True}, found
    assert not model.alltrue()
    model.reset()
    model.add_init("!gene & level = 3 - 3")
    model.add_ctl("gene -> EX level = 1", name="vacuous")
    assert model.verify()["vacuous"] is True
    model.add_instruction("CTLSPEC nothing = 1")
    try:
        model.verify()
        raise SystemExit("an error in the model must raise CmdError")
    except nusmv.CmdError as error:
        assert "undefined identifier 'nothing'" in str(error), error
print("colomoto: ok")
