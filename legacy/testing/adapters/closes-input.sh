# Closes its input in the first call, yet stays alive. In shell, since Node does not close its standard streams.
read -r _initialize
echo '{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"implementation":{"name":"fake","version":"1"},"facts":{"metadataHosts":["a","b"]}}}'
read -r _start
echo '{"jsonrpc":"2.0","id":2,"result":{}}'
read -r _handle
exec 0<&-
echo '{"jsonrpc":"2.0","id":3,"result":{}}'
sleep 60
