# Closes its output in the first call, yet stays alive.
read -r _initialize
echo '{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"implementation":{"name":"fake","version":"1"},"facts":{"metadataHosts":["a","b"]}}}'
read -r _start
echo '{"jsonrpc":"2.0","id":2,"result":{}}'
read -r _handle
exec 1>&-
sleep 60
