export const help = {
  'help.text': 'The terms, colors and keys of this console.',
  'help.jobs': 'States of a job',
  'help.shards': 'States of a shard',
  'help.actions': 'Actions',
  'help.keys': 'Keyboard',
  'help.key.palette': 'Search jobs, servers and pages',
  'help.key.search': 'Search on this page',
  'help.key.help': 'This page',
  'help.version': 'Version {version}',
  'help.api': 'The REST API',
  'help.job.ok': 'Nothing prevents it from running: it waits for its next fire time.',
  'help.job.running': 'At least one of its shards is running.',
  'help.job.paused': 'Its schedule is paused; Run now still works.',
  'help.job.disabled': 'All its servers are disabled: nothing runs.',
  'help.job.sharding': 'Its shards have to be assigned to the instances; the leader does that.',
  'help.job.crashed': 'No process takes part in it. Start one.',
  'help.job.broken':
    'Its configuration or one of its states cannot be read. Repair on its page, or elasticjob repair, shows what can be reset.',
  'help.job.removing': 'Its instances leave; then it is deleted from the registry.',
  'help.shard.pending': 'Nothing prevents its next run.',
  'help.shard.running': 'It runs on its owner.',
  'help.shard.stopping': 'An operator has asked its run to end.',
  'help.shard.taken-over': 'It runs on an instance that has taken it over from a crashed one.',
  'help.shard.waiting-for-failover':
    'Its instance crashed during a run; another instance will take the run over.',
  'help.shard.crashed':
    'Its instance crashed during a run; failover is off, so no instance takes the run over.',
  'help.shard.abandoned':
    'Its run was started too often; the shard runs again at its next fire time.',
  'help.shard.unreadable':
    'Its state in the registry cannot be read, so it does not run. Repair the job: elasticjob repair.',
  'help.shard.disabled': 'An operator has disabled it.',
  'help.shard.paused':
    'The schedule of the job is paused, on all servers or on the server of its owner.',
  'help.shard.no-owner': 'No instance owns it yet.',
  'help.shard.owner-away':
    'Its owner is gone, is leaving, or is disabled: the leader reassigns the shard.',
  'help.action.trigger':
    'Runs all shards now, or some of them, with an optional parameter. A second manual run waits until the first is complete.',
  'help.action.pause': 'Pauses the schedule. Active runs continue.',
  'help.action.resume': 'Resumes the schedule, from the next fire time on.',
  'help.action.disable': 'Its servers own no shards until they are enabled again.',
  'help.action.enable': 'Reverts Disable.',
  'help.action.reshard': 'Makes the leader compute the assignment again.',
  'help.action.shutdown':
    'Asks instances to leave; their active runs end first. They join again when their processes are restarted.',
  'help.action.remove': 'Deletes the job with all its data from the registry.',
} as const
