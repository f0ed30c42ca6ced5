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
  'confirm.typeFirst': 'Type what is asked for first',
  'confirm.more': 'and {n} more',
  'confirm.done': '{action}: {about}: done',
  'confirm.nothing': '{action}: {about}: nothing had to change',
  'confirm.failed': '{action}: {about}: not everything worked',
  'reason.guest': 'Only root may do this',
  'reason.registryLost': 'The registry cannot be reached',
  'reason.streamLost': "The console's server cannot be reached",
  'reason.removing': 'The job is being removed',
  'reason.noInstance': 'No instance of the job is there',
  'reason.noInstanceOnServer': 'No instance is on this server',
  'reason.noServer': 'The job has no server',
  'reason.allDisabled': 'All its servers are disabled',
  'reason.alreadyDisabled': 'It is disabled already',
  'reason.notDisabled': 'Nothing is disabled',
  'reason.alreadyPaused': 'It is paused already',
  'reason.notPaused': 'It is not paused',
  'reason.javaPause': 'Only Java instances run it, and they know no pause',
  'reason.javaStop': 'A Java instance runs it, and cannot be asked to stop',
  'reason.shardDisabled': 'The shard is disabled',
  'reason.notRunning': 'It does not run',
  'reason.alreadyStopping': 'It has been asked to stop',
  'will.trigger':
    '{shards} {shards#shard|shards} of {job} {shards#runs|run} now, on {instances} {instances#instance|instances}.',
  'will.trigger.disabled': '{n} disabled {n#shard is|shards are} left out.',
  'will.trigger.running':
    '{n} {n#shard runs|shards run} already: the manual run begins when {n#it has|they have} ended.',
  'will.triggerShards': '{n} chosen {n#shard|shards} of {job} {n#runs|run} now.',
  'will.triggerFailed': 'Only shards whose last run did not end well run now.',
  'will.triggerShard': 'Shard {shard} runs now, on {owner}.',
  'will.pause':
    '{job} is not fired by its schedule any more, on {servers} {servers#server|servers}. What runs goes on; Run now still works.',
  'will.pause.mixed': 'Java instances know no pause: they go on.',
  'will.resume': '{job} is fired by its schedule again, from the next time on.',
  'will.disable':
    '{servers} {servers#server gets|servers get} no shards of {job} until enabled again: the job does not run.',
  'will.enable':
    '{servers} {servers#server takes|servers take} part in {job} again; its shards are reassigned.',
  'will.reshard':
    'The {shards} {shards#shard|shards} of {job} {shards#is|are} reassigned to {instances} {instances#instance|instances}. A shard that runs moves when its run has ended.',
  'will.shutdown':
    '{instances} {instances#instance is|instances are} asked to leave {job}. It runs again only when a process is started anew.',
  'will.remove':
    '{job} is taken out of the registry with its configuration; {instances} {instances#instance is|instances are} asked to leave first. This cannot be undone.',
  'will.repair':
    'Nodes of the job that cannot be read are reset. What they held is lost; this cannot be undone.',
  'will.runsEnd':
    '{n} {n#run goes|runs go} on until {n#it ends|they end} by {n#itself|themselves}.',
  'will.stopRun':
    'The run of shard {shard} is asked to end now. It is not run again before its next time.',
  'will.disableShard': 'Shard {shard} does not run any more until it is enabled.',
  'will.enableShard': 'Shard {shard} runs again, from its next time on.',
  'will.server.pause': '{jobs} {jobs#job is|jobs are} not fired by schedule on {server} any more.',
  'will.server.resume': '{jobs} {jobs#job is|jobs are} fired by schedule on {server} again.',
  'will.server.disable':
    '{server} gets no shards of its {jobs} {jobs#job|jobs} any more; others take them.',
  'will.server.enable': '{server} takes part in its {jobs} {jobs#job|jobs} again.',
  'will.server.shutdown':
    '{instances} {instances#instance|instances} on {server} {instances#is|are} asked to leave {jobs} {jobs#job|jobs}.',
  'will.server.remove':
    '{server} is taken out of {jobs} {jobs#job|jobs}; {instances} {instances#instance is|instances are} asked to leave first.',
  'will.serverJob.pause':
    '{job} is not fired by schedule on {server} any more; {shards} {shards#shard waits|shards wait}.',
  'will.serverJob.resume': '{job} is fired by schedule on {server} again.',
  'will.serverJob.disable':
    '{server} gives up {shards} {shards#shard|shards} of {job}; others take them.',
  'will.serverJob.enable': '{server} gets shards of {job} again.',
  'will.serverJob.shutdown':
    '{instances} {instances#instance|instances} on {server} {instances#is|are} asked to leave {job}; others take {shards} {shards#shard|shards}.',
  'will.serverJob.remove':
    '{server} is taken out of {job}; {instances} {instances#instance is|instances are} asked to leave first.',
  'will.forgetRegistry': 'The console forgets {name}. Nothing is changed in the registry itself.',
  'will.forgetSource': 'The console forgets {name}. Nothing is changed in the database itself.',
  'bulk.label': 'Actions on the chosen jobs',
  'bulk.chosen': '{n} chosen',
  'bulk.jobs': '{n} {n#job|jobs}',
  'bulk.none': 'Choose none',
  'bulk.leftOut': '{n} of the chosen {n#is|are} left out, for it would change nothing there.',
  'bulk.trigger':
    '{n} {n#job runs|jobs run} now: {shards} {shards#shard|shards} on {instances} {instances#instance|instances}.',
  'bulk.pause': '{n} {n#job is|jobs are} not fired by schedule any more.',
  'bulk.resume': '{n} {n#job is|jobs are} fired by schedule again.',
  'bulk.disable':
    '{n} {n#job does|jobs do} not run any more until enabled; {running} {running#run goes|runs go} on until the end.',
  'bulk.enable': '{n} {n#job runs|jobs run} again.',
  'bulk.reshard': 'The shards of {n} {n#job|jobs} are reassigned.',
  'bulk.shutdown':
    '{instances} {instances#instance is|instances are} asked to leave {n} {n#job|jobs}.',
  'bulk.remove':
    '{n} {n#job is|jobs are} taken out of the registry; {instances} {instances#instance is|instances are} asked to leave first. This cannot be undone.',
} as const
