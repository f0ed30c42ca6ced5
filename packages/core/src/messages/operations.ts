/** Effects of operations, and reasons why an operation or a shard has none. */
export const operationsTexts = {
  'job-unknown': 'there is no job "{jobName}" in this namespace',
  'server-unknown': 'no job of this namespace has a server "{server}"',
  'job-removal-pending':
    'job {jobName} is being removed; remove it once more if that was interrupted',
  'configuration-subject': 'the configuration of job {jobName}',
  'configuration-refused': 'job {jobName} cannot be configured: {problem}',
  'configuration-stale':
    'the configuration of job {jobName} was changed by somebody else: it has version {version}, and the change was made for version {expected}; look at it again',
  'departure-pending':
    'after {milliseconds} ms there are still instances in job {jobName} that were asked to leave: {instances}; they let their runs end first. Ask again, with a longer wait if need be',
  'connection-lost': 'the connection was lost',
  'job-subject': 'job {jobName}',
  'job-server-unknown': 'job {jobName} has no server "{server}"',
  'instance-unknown': 'no instance "{instance}" takes part in job {jobName}',
  'shard-unknown': 'job {jobName} has no shard {shard}: it has {shards}',
  'shards-none': 'none that is known',
  'shards-one': 'one shard, 0',
  'shards-range': 'shards 0 to {last}',
  'transaction-too-large':
    'a transaction of {parts} parts has {bytes} bytes; at most {most} are safe',
  contention: '{subject} is being changed by others all the time; try again',
  'registry-connection-lost':
    'the connection to the registry was lost: {reason}. What was under way may have been done or not; look, then ask again',
  'job-paused': 'job {jobName} is paused',
  'job-paused-on-server': 'job {jobName} is paused on server {server}',
  'job-resumed': 'job {jobName} fires again',
  'whole-job-paused':
    'the whole job {jobName} is paused: resume the job, then pause the other servers',
  'job-resumed-on-server': 'job {jobName} fires again on server {server}',
  'server-resumed': 'the pause of server {server} is lifted',
  'java-pause-unsupported':
    '{instance} is a Java instance and knows no pause: it goes on; disable its server instead',
  'instance-leaving': '{instance} is asked to leave job {jobName}',
  'instance-rejoined':
    '{instance} has joined job {jobName} again; a server is removed when none of its instances is left',
  'server-removed': 'server {server} is removed from job {jobName}',
  'job-removed': 'job {jobName} is removed',
  'removal-conflict':
    'somebody else removes job {jobName} at this moment, or has removed it meanwhile',
  'removal-undone':
    'the nodes of job {jobName} come back whenever they are deleted: a Java process still runs it. End that process, then remove the job once more',
  'repair-loss': '{loss} ({reason})',
  'configuration-not-repaired':
    'the configuration of job {jobName} is not repaired, only you know what it should be: {problem}; correct it with `elasticjob config edit`',
  'job-state-reset':
    'the state of job {jobName} is reset, and the job is paused until it is resumed: its pauses, manual runs under way, requests to stop runs or to leave, and a removal under way are lost',
  'assignment-reset':
    'the assignment of job {jobName} is reset, the leader computes it again: nothing is lost but moves under way',
  'listener-calls-reset':
    'the calls of listeners of job {jobName} are reset: listeners of what has begun until now are not called again',
  'shard-state-reset':
    'the state of shard {shard} of job {jobName} is reset: its last run, with outcome and error, is lost, and nothing that was due until now is run',
  'shard-state-not-repaired':
    'the state of shard {shard} of job {jobName} is not repaired, for {instance} runs it: repair it when that run has ended, or end that process',
  'resharding-requested': 'a resharding of job {jobName} is requested',
  'obstacle-unreadable': 'its state cannot be read: repair the job',
  'obstacle-disabled': 'it is disabled: enable it',
  'obstacle-no-instance': 'no instance takes part in the job: start one',
  'obstacle-no-owner': 'it has no owner yet: the leader assigns the shards',
  'obstacle-owner-gone': 'its owner {instance} is gone: the leader gives it to another',
  'obstacle-owner-leaving': 'its owner {instance} leaves the job',
  'obstacle-owner-disabled': 'its owner {instance} is on a server that is disabled',
  'obstacle-job-paused': 'the job is paused: resume it',
  'obstacle-server-paused': 'the server {server} of its owner is paused: resume it',
  'obstacle-takeover-paused':
    'its crashed run waits to be taken over: every instance that could is paused; resume the job or a server',
  'obstacle-takeover': 'its crashed run waits to be taken over',
  'job-without-instance': 'no instance takes part in job {jobName}',
  'job-without-instance-on-server': 'no instance takes part in job {jobName} on {server}',
  'shard-idle':
    'shard {shard} of job {jobName} does not run at the moment; there is nothing to stop',
  'java-stop-unsupported':
    'shard {shard} of job {jobName} runs on {instance}, a Java instance, which cannot be asked to end a run; shut its instance down, or wait',
  'run-stop-requested': 'the run of shard {shard} of job {jobName} on {instance} is asked to end',
  'configuration-absent':
    'it has no configuration: its nodes are incomplete; remove it, or schedule it again',
  'nodes-absent':
    'its nodes are gone: only what is known of its runs is left; remove it, or schedule it again',
  'configuration-legacy-hint':
    '{reason}; if it is one of Elastic-Job 1.x, `elasticjob import` takes it over',
  'job-enabled-on-server': 'job {jobName} is enabled on server {server}',
  'job-disabled-on-server': 'job {jobName} is disabled on server {server}',
  'shard-disabled': 'shard {shard} of job {jobName} is disabled',
  'shard-enabled': 'shard {shard} of job {jobName} is enabled',
  'failed-shards-absent':
    'no shard of job {jobName} that is asked for has failed the last time it ran; there is nothing to run again',
  'java-shards-unsupported':
    "job {jobName} is run by Java instances here: they can be triggered only for all that they own, without shards of one's own",
  'java-parameter-unsupported':
    "job {jobName} is run by Java instances here: they can be triggered only for all that they own, without a parameter of one's own",
  'java-instance-untriggered':
    '{instance} is a Java instance: it cannot be triggered for some of its shards, or with a parameter',
  'disabled-shard-untriggered': 'shard {shard} is disabled and does not run in this manual run',
  'instance-triggered': '{instance} is triggered',
  'all-shards': 'all shards',
  'some-shards': 'shards {shards}',
  'shards-on-instances': '{shards} on {instances}',
  'shards-with-parameter': '{shards} with parameter {parameter}',
  'manual-run-requested': 'manual run {id} of job {jobName} is asked for: {scope}',
} as const
