go
check_ctlspec -n 0
source inner.cmd
echo not reached
