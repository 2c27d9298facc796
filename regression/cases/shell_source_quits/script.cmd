set on_failure_script_quits
source inner.cmd
