// Greets people on the output that belongs to the protocol.
process.stdout.write("Listening on port 8080\n");
process.stdin.resume();
