export const help = {
  'help.text': 'What the words, colours and keys of this console mean.',
  'help.jobs': 'How a job stands',
  'help.shards': 'How a shard stands',
  'help.actions': 'What can be done',
  'help.keys': 'Keyboard',
  'help.key.palette': 'Search jobs, servers and pages',
  'help.key.search': 'Search on this page',
  'help.key.help': 'This page',
  'help.version': 'Version {version}',
  'help.api': 'The REST API',
  'help.job.ok': 'Nothing is in its way: it waits for its next time.',
  'help.job.running': 'At least one of its shards runs now.',
  'help.job.paused': 'Its schedule is off; Run now still works.',
  'help.job.disabled': 'All its servers are disabled: nothing runs.',
  'help.job.sharding':
    'Its shards have to be assigned to those who are there; the leader does that.',
  'help.job.crashed': 'No process takes part in it. Start one.',
  'help.job.broken':
    'What is stored as its configuration or as a state of it cannot be read. Repair on its page, or elasticjob repair, shows what can be done.',
  'help.job.removing': 'Its instances leave, and then it is taken out of the registry.',
  'help.shard.pending': 'Nothing is in the way of its next run.',
  'help.shard.running': 'It runs on its owner.',
  'help.shard.stopping': 'An operator has asked for the end of its run.',
  'help.shard.taken-over': 'It runs on an instance that has taken it over from a crashed one.',
  'help.shard.waiting-for-failover':
    'Its run was left by a crashed instance; somebody will take it over.',
  'help.shard.crashed':
    'Its run was left by a crashed instance; failover is off, so nobody takes it over.',
  'help.shard.abandoned': 'Its run was begun too often; the next time counts again.',
  'help.shard.unreadable':
    'Its state in the registry cannot be read, so it does not run. Repair the job: elasticjob repair.',
  'help.shard.disabled': 'An operator has disabled it.',
  'help.shard.paused': "The job, or its owner's server, is paused.",
  'help.shard.no-owner': 'Nobody owns it yet.',
  'help.shard.owner-away':
    'Its owner is gone, or leaves, or is disabled: it will be given to somebody else.',
  'help.action.trigger':
    'Runs all shards now, or some, with a parameter of your own if you like. A manual run that is asked for while one runs waits for it.',
  'help.action.pause': 'Switches the schedule off. What runs goes on.',
  'help.action.resume': 'Switches the schedule on again, from the next time on.',
  'help.action.disable': 'Its servers get no shards until they are enabled again.',
  'help.action.enable': 'Undoes Disable.',
  'help.action.reshard': 'Has the shards reassigned.',
  'help.action.shutdown':
    'Asks instances to leave; they let their runs end. They are back when a process is started anew.',
  'help.action.remove': 'Takes the job out of the registry with everything that belongs to it.',
} as const
