package cli

// Rooms are all commands.
var Rooms = []Room{readRoom, changeRoom, cleanRoom, hostsRoom, agentsRoom}
