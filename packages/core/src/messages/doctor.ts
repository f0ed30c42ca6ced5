/** Findings of the doctor and their remedies. */
export const doctorTexts = {
  'registry-unreachable': 'the registry cannot be reached: {reason}',
  'registry-unreachable-remedy':
    'see that ZooKeeper runs and that the address is right; for development, `elasticjob zookeeper` starts one',
  'registry-denied': 'the registry does not let us read there',
  'registry-denied-remedy':
    'give the digest (name:password) with which the jobs were made, or the right sasl user',
  'job-elsewhere': 'namespace "{namespace}" has no job "{jobName}"; {namespaces} has one',
  'job-elsewhere-remedy':
    'look there with --namespace, or let the processes of the job use the same namespace',
  'namespaces-absent-remedy': 'start a process that schedules a job: it makes the namespace',
  'namespace-unknown-remedy': 'there are {namespaces}; choose one with --namespace',
  'namespace-unknown': 'there is no namespace "{namespace}"',
  'namespace-empty-remedy': 'it has no job at all: start a process that schedules one',
  'job-absent-remedy': '`elasticjob jobs` lists those that there are',
  'namespace-empty': 'namespace "{namespace}" has no job',
  'job-absent': 'namespace "{namespace}" has no job "{jobName}"',
  'namespaces-denied-remedy':
    '{remedy}; or look with its digest into {namespaces}, where we may not read',
  'one-instance': 'one instance',
  'instance-count': '{count} instances',
  'trigger-awaited': 'it waits to be triggered, on {instances}',
  'next-fire': 'nothing is in its way: {instances}, next fire at {time}',
  'one-shard': 'shard {shard}',
  'many-shards': 'shards {shards} and {count} more',
  'several-shards': 'shards {shards} and {last}',
  'configuration-unusable': 'its configuration cannot be used: {problem}',
  'configuration-unusable-remedy': 'correct it with `elasticjob config edit JOB`',
  'broken-node': 'it is broken: {problem}',
  'broken-nodes': 'it is broken: {problem}, and so are {count} more of its nodes',
  'broken-nodes-remedy':
    '`elasticjob repair JOB` shows what can be reset and what is lost by that; `--yes` does it',
  'removal-running': 'it is being removed; {count} instances have not left yet',
  'removal-unfinished': 'its removal was begun and not finished',
  'removal-remedy': 'remove it once more to finish, then schedule it again if it is still wanted',
  'clock-ahead':
    "the clock of {instance} is {seconds} s ahead of the registry's, and the job allows {limit} s: the instance takes no part until it is right",
  'clock-behind':
    "the clock of {instance} is {seconds} s behind the registry's, and the job allows {limit} s: the instance takes no part until it is right",
  'clocks-refused': '{first}; and so it is with {count} more',
  'clock-remedy':
    'set the clock (NTP) of the machine, or of the registry; or raise maxTimeDiffSeconds',
  'instances-shut-down': 'no instance takes part: an operator has shut it down on {servers}',
  'instances-shut-down-remedy': 'start the processes of the job again',
  'instances-absent': 'no instance takes part',
  'instances-last-seen': 'no instance takes part; it was last seen on {servers}',
  'instances-absent-remedy':
    'start a process that schedules it, and see that it has the same registry and namespace',
  'servers-disabled-remedy': '`elasticjob enable JOB --server ADDRESS`, for {servers}',
  'all-servers-disabled': 'all servers that take part are disabled: {servers}',
  'servers-disabled': 'disabled servers get no shards: {servers}',
  'instance-without-session':
    'the node instances/{instance} belongs to no session: it gets no shards',
  'instances-without-session':
    '{count} nodes below instances belong to no session, instances/{instance} among them: they get no shards',
  'instances-without-session-remedy':
    'delete them; the leader deletes those of our form after ten minutes',
  'pause-remedy': '`elasticjob resume JOB`; what fell due meanwhile is not made up for',
  'fires-paused': 'its cron fires are paused',
  'all-servers-paused': 'its cron fires are paused on {servers}',
  'servers-paused': 'cron fires are paused on {servers}: shards there do not run by themselves',
  'java-zone-unusable': 'Java instances take part, and never fire with the zone "{timeZone}"',
  'java-zone-remedy': 'give the zone as a distance such as "GMT+08:00"',
  'local-clock-ahead':
    "the clock of this machine is {seconds} s ahead of the registry's, and the job allows {limit} s: nothing of it runs on such a machine",
  'local-clock-behind':
    "the clock of this machine is {seconds} s behind the registry's, and the job allows {limit} s: nothing of it runs on such a machine",
  'leader-absent': 'no instance leads it at this moment: the shards are not assigned',
  'leader-absent-remedy':
    'wait a second and ask again; if it stays so, look for a latch that a dead process has left below leader/election/latch (`elasticjob dump JOB`), and at the logs of the instances',
  'resharding-remedy': 'nothing: shards that do not run move at once',
  'java-resharding-remedy':
    'a Java leader does it at the next fire, when nothing runs; stop runs that do not end',
  'resharding-pending': 'a resharding is requested',
  'resharding-behind-run': 'a resharding is requested; it waits for a run to end',
  'resharding-behind-runs': 'a resharding is requested; it waits for {count} runs to end',
  'manual-run-pending': 'manual run {id}, asked for at {time}, is not over',
  'manual-runs-pending':
    'manual run {id}, asked for at {time}, is not over, and manual run {next} waits for it',
  'manual-run-remedy': 'nothing, if its shards run; the shards below say what they wait for',
  'cron-absent': 'it has no cron expression: it runs when it is triggered, and only then',
  'cron-absent-remedy': '`elasticjob trigger JOB`, or give it a cron expression with `config set`',
  'cron-exhausted': '"{cron}" never fires again',
  'cron-exhausted-remedy':
    'give it an expression that does: `elasticjob cron` shows the next fires of one',
  'fire-missed': '{shards} did not run at {time}, although nothing here is in the way',
  'fire-missed-remedy':
    'look at the log of its owner at that time: a lost connection, a blocked event loop, a full pool, or a clock that was refused; `catch.up` of the props says what becomes of such times',
  'shards-unowned': 'nobody owns {shards} yet',
  'shards-unowned-remedy':
    'the leader assigns them within seconds; if it does not, see what it says in its log (sharding:failed), and that an enabled instance takes part',
  'owners-away': 'the owner of {shards} takes no part at this moment: {owners}',
  'owners-away-remedy':
    'they are given to others within seconds; an instance that crashed is missed when its session has ended',
  'shards-disabled': 'an operator has disabled {shards}',
  'shards-disabled-remedy':
    '`elasticjob enable JOB --item SHARD`; what fell due meanwhile is not made up for',
  'takeover-paused':
    'a crashed instance has left {shards} unfinished; every instance that could take over is paused',
  'takeover-paused-remedy': '`elasticjob resume JOB`: the takeover then follows at once',
  'takeover-pending': 'a crashed instance has left {shards} unfinished; somebody has to take over',
  'takeover-pending-remedy': 'an idle instance does so at once: see that an enabled one takes part',
  'takeover-off': 'a crashed instance has left {shards} unfinished, and failover is off',
  'takeover-off-remedy':
    'they run at their next time; run them now with `elasticjob trigger JOB --failed`, or switch failover on',
  'takeover-given-up':
    '{shards} killed one instance after the other and was given up until its next time',
  'takeover-given-up-remedy':
    'look at why the process dies (memory, native code); `failover.max.attempts` of the props is how often it is tried',
  'shards-running-remedy':
    'nothing, if it takes as long as it should; else give it a `timeout.milliseconds`, or stop it with `elasticjob stop JOB --item SHARD`',
  'shards-running': '{shards} runs; until it ends, no other run of it begins',
  'shards-running-since': '{shards} runs for {seconds} s; until it ends, no other run of it begins',
  'runs-failed-remedy': 'fix the cause, then `elasticjob trigger JOB --failed` runs them again',
  'runs-failed-without-error': 'the last run of {shards} failed: no reason was given',
  'runs-failed': 'the last run of {shards} failed: {error}',
} as const
