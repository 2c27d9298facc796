echo inner
foo
echo not reached
