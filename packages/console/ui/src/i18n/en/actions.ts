export const actions = {
  'action.trigger': 'Run now',
  'action.pause': 'Pause',
  'action.resume': 'Resume',
  'action.disable': 'Disable',
  'action.enable': 'Enable',
  'action.reshard': 'Reshard',
  'action.shutdown': 'Shut down',
  'action.remove': 'Remove',
  'action.triggerItem': 'Run this item',
  'action.stopRun': 'Stop the run',
  'action.disableItem': 'Disable the item',
  'action.enableItem': 'Enable the item',
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
  'reason.itemDisabled': 'The item is disabled',
  'reason.notRunning': 'It does not run',
  'reason.alreadyStopping': 'It has been asked to stop',
  'will.trigger':
    '{items} {items#item|items} of {job} {items#runs|run} now, on {instances} {instances#instance|instances}.',
  'will.trigger.disabled': '{n} disabled {n#item is|items are} left out.',
  'will.trigger.running':
    '{n} {n#item runs|items run} already: the round begins when {n#it has|they have} ended.',
  'will.triggerItems': '{n} chosen {n#item|items} of {job} {n#runs|run} now.',
  'will.triggerFailed': 'Only items whose last run did not end well run now.',
  'will.triggerItem': 'Item {item} runs now, on {owner}.',
  'will.pause':
    '{job} is not fired by its schedule any more, on {servers} {servers#server|servers}. What runs goes on; Run now still works.',
  'will.pause.mixed': 'Java instances know no pause: they go on.',
  'will.resume': '{job} is fired by its schedule again, from the next time on.',
  'will.disable':
    '{servers} {servers#server gets|servers get} no items of {job} until enabled again: the job does not run.',
  'will.enable':
    '{servers} {servers#server takes|servers take} part in {job} again; its items are dealt out anew.',
  'will.reshard':
    'The {items} {items#item|items} of {job} {items#is|are} dealt out anew to {instances} {instances#instance|instances}. An item that runs moves when its run has ended.',
  'will.shutdown':
    '{instances} {instances#instance is|instances are} asked to leave {job}. It runs again only when a process is started anew.',
  'will.remove':
    '{job} is taken out of the registry with its configuration; {instances} {instances#instance is|instances are} asked to leave first. This cannot be undone.',
  'will.runsEnd':
    '{n} {n#run goes|runs go} on until {n#it ends|they end} by {n#itself|themselves}.',
  'will.stopRun':
    'The run of item {item} is asked to end now. It is not run again before its next time.',
  'will.disableItem': 'Item {item} does not run any more until it is enabled.',
  'will.enableItem': 'Item {item} runs again, from its next time on.',
  'will.server.pause': '{jobs} {jobs#job is|jobs are} not fired by schedule on {server} any more.',
  'will.server.resume': '{jobs} {jobs#job is|jobs are} fired by schedule on {server} again.',
  'will.server.disable':
    '{server} gets no items of its {jobs} {jobs#job|jobs} any more; others take them.',
  'will.server.enable': '{server} takes part in its {jobs} {jobs#job|jobs} again.',
  'will.server.shutdown':
    '{instances} {instances#instance|instances} on {server} {instances#is|are} asked to leave {jobs} {jobs#job|jobs}.',
  'will.server.remove':
    '{server} is taken out of {jobs} {jobs#job|jobs}; {instances} {instances#instance is|instances are} asked to leave first.',
  'will.serverJob.pause':
    '{job} is not fired by schedule on {server} any more; {items} {items#item waits|items wait}.',
  'will.serverJob.resume': '{job} is fired by schedule on {server} again.',
  'will.serverJob.disable':
    '{server} gives up {items} {items#item|items} of {job}; others take them.',
  'will.serverJob.enable': '{server} gets items of {job} again.',
  'will.serverJob.shutdown':
    '{instances} {instances#instance|instances} on {server} {instances#is|are} asked to leave {job}; others take {items} {items#item|items}.',
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
    '{n} {n#job runs|jobs run} now: {items} {items#item|items} on {instances} {instances#instance|instances}.',
  'bulk.pause': '{n} {n#job is|jobs are} not fired by schedule any more.',
  'bulk.resume': '{n} {n#job is|jobs are} fired by schedule again.',
  'bulk.disable':
    '{n} {n#job does|jobs do} not run any more until enabled; {running} {running#run goes|runs go} on until the end.',
  'bulk.enable': '{n} {n#job runs|jobs run} again.',
  'bulk.reshard': 'The items of {n} {n#job|jobs} are dealt out anew.',
  'bulk.shutdown':
    '{instances} {instances#instance is|instances are} asked to leave {n} {n#job|jobs}.',
  'bulk.remove':
    '{n} {n#job is|jobs are} taken out of the registry; {instances} {instances#instance is|instances are} asked to leave first. This cannot be undone.',
} as const
