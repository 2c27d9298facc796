set on_failure_script_quits
go
go_bmc
