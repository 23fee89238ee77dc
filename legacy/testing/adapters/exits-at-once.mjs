// Exits before it has read anything.
process.stderr.write("no licence found\n");
process.exit(3);
