export const actions = {
  'action.trigger': 'Run now',
  'action.pause': 'Pause',
  'action.resume': 'Resume',
  'action.disable': 'Disable',
  'action.enable': 'Enable',
  'action.reshard': 'Reshard',
  'action.shutdown': 'Shut down',
  'action.remove': 'Remove',
  'action.repair': 'Repair',
  'action.triggerShard': 'Run this shard',
  'action.stopRun': 'Stop the run',
  'action.disableShard': 'Disable the shard',
  'action.enableShard': 'Enable the shard',
  'action.edit': 'Edit',
  'action.forget': 'Forget',
  'action.save': 'Save',
  'action.cancel': 'Cancel',
  'action.close': 'Close',
  'action.retry': 'Try again',
  'action.refresh': 'Refresh',
  'action.more': 'Show more',
  'confirm.type': 'Type “{text}” to confirm',
  'confirm.typeFirst': 'Type the requested text first',
  'confirm.more': 'and {n} more',
  'confirm.done': '{action}: {about}: done',
  'confirm.nothing': '{action}: {about}: already in the requested state',
  'confirm.failed': '{action}: {about}: some parts failed',
  'reason.guest': 'Only root may do this',
  'reason.registryLost': 'The registry cannot be reached',
  'reason.streamLost': "The console's server cannot be reached",
  'reason.removing': 'The job is being removed',
  'reason.noInstance': 'No instance takes part in the job',
  'reason.noInstanceOnServer': 'No instance runs on this server',
  'reason.noServer': 'The job has no server',
  'reason.allDisabled': 'All its servers are disabled',
  'reason.alreadyDisabled': 'It is already disabled',
  'reason.notDisabled': 'Nothing is disabled',
  'reason.alreadyPaused': 'It is already paused',
  'reason.notPaused': 'It is not paused',
  'reason.javaPause': 'Only Java instances run it, and Java has no pause',
  'reason.javaStop': 'A Java instance runs it, and Java cannot stop a single run',
  'reason.shardDisabled': 'The shard is disabled',
  'reason.notRunning': 'It is not running',
  'reason.alreadyStopping': 'It has already been asked to stop',
  'will.trigger':
    '{shards} {shards#shard|shards} of {job} {shards#runs|run} now, on {instances} {instances#instance|instances}.',
  'will.trigger.disabled': '{n} disabled {n#shard is|shards are} omitted.',
  'will.trigger.running':
    '{n} {n#shard is|shards are} already running: the manual run starts when {n#it has|they have} ended.',
  'will.triggerShards': '{n} selected {n#shard|shards} of {job} {n#runs|run} now.',
  'will.triggerFailed': 'Only shards whose last run did not succeed run now.',
  'will.triggerShard': 'Shard {shard} runs now, on {owner}.',
  'will.pause':
    'The schedule of {job} is paused on {servers} {servers#server|servers}. Active runs continue; Run now still works.',
  'will.pause.mixed': 'Java instances have no pause and continue.',
  'will.resume': 'The schedule of {job} is resumed, from the next fire time on.',
  'will.disable':
    '{servers} {servers#server owns|servers own} no shards of {job} until enabled again: the job does not run.',
  'will.enable':
    '{servers} {servers#server takes|servers take} part in {job} again; its shards are reassigned.',
  'will.reshard':
    'The leader assigns the {shards} {shards#shard|shards} of {job} to {instances} {instances#instance|instances} again. A running shard moves when its run has ended.',
  'will.shutdown':
    '{instances} {instances#instance is|instances are} asked to leave {job}. The job runs again only when a process is restarted.',
  'will.remove':
    '{job} is deleted from the registry with its configuration; {instances} {instances#instance is|instances are} asked to leave first. This cannot be undone.',
  'will.repair':
    'Unreadable nodes of the job are reset. Their content is lost. This cannot be undone.',
  'will.runsEnd': '{n} active {n#run continues|runs continue} until {n#it ends|they end}.',
  'will.stopRun':
    'The run of shard {shard} is asked to end now. The shard runs again at its next fire time.',
  'will.disableShard': 'Shard {shard} does not run until it is enabled.',
  'will.enableShard': 'Shard {shard} runs again, from its next fire time on.',
  'will.server.pause':
    'The {jobs#schedule|schedules} of {jobs} {jobs#job is|jobs are} paused on {server}.',
  'will.server.resume':
    'The {jobs#schedule|schedules} of {jobs} {jobs#job is|jobs are} resumed on {server}.',
  'will.server.disable':
    '{server} owns no shards of its {jobs} {jobs#job|jobs} any more; other servers take them.',
  'will.server.enable': '{server} takes part in its {jobs} {jobs#job|jobs} again.',
  'will.server.shutdown':
    '{instances} {instances#instance|instances} on {server} {instances#is|are} asked to leave {jobs} {jobs#job|jobs}.',
  'will.server.remove':
    '{server} is removed from {jobs} {jobs#job|jobs}; {instances} {instances#instance is|instances are} asked to leave first.',
  'will.serverJob.pause':
    'The schedule of {job} is paused on {server}; {shards} {shards#shard waits|shards wait}.',
  'will.serverJob.resume': 'The schedule of {job} is resumed on {server}.',
  'will.serverJob.disable':
    '{server} gives up {shards} {shards#shard|shards} of {job}; other servers take them.',
  'will.serverJob.enable': '{server} owns shards of {job} again.',
  'will.serverJob.shutdown':
    '{instances} {instances#instance|instances} on {server} {instances#is|are} asked to leave {job}; other servers take {shards} {shards#shard|shards}.',
  'will.serverJob.remove':
    '{server} is removed from {job}; {instances} {instances#instance is|instances are} asked to leave first.',
  'will.forgetRegistry': '{name} is removed from the console. The registry itself is not changed.',
  'will.forgetSource': '{name} is removed from the console. The database itself is not changed.',
  'bulk.label': 'Actions on the selected jobs',
  'bulk.chosen': '{n} selected',
  'bulk.jobs': '{n} {n#job|jobs}',
  'bulk.none': 'Clear the selection',
  'bulk.leftOut':
    '{n} of the selected jobs {n#is|are} omitted, because nothing would change there.',
  'bulk.trigger':
    '{n} {n#job runs|jobs run} now: {shards} {shards#shard|shards} on {instances} {instances#instance|instances}.',
  'bulk.pause': 'The {n#schedule|schedules} of {n} {n#job is|jobs are} paused.',
  'bulk.resume': 'The {n#schedule|schedules} of {n} {n#job is|jobs are} resumed.',
  'bulk.disable':
    '{n} {n#job does|jobs do} not run until enabled; {running} active {running#run continues|runs continue} until the end.',
  'bulk.enable': '{n} {n#job runs|jobs run} again.',
  'bulk.reshard': 'The shards of {n} {n#job|jobs} are reassigned.',
  'bulk.shutdown':
    '{instances} {instances#instance is|instances are} asked to leave {n} {n#job|jobs}.',
  'bulk.remove':
    '{n} {n#job is|jobs are} deleted from the registry; {instances} {instances#instance is|instances are} asked to leave first. This cannot be undone.',
} as const
