/**
 * A namespace as large ones look: applications of a hundred jobs, two instances each, every shard run some time ago. A
 * container that is started anew has another address, and its old one stays in every job that it took part in: of the
 * dead ones half are in the jobs of one application that is deployed often, half in one job that has been for years.
 */
export interface NamespaceSize {
  readonly jobs: number
  readonly shards: number
  readonly deadServers: number
}

/** A path below the two roots of a namespace, and what stands there. */
export interface Node {
  readonly path: string
  readonly data: string
  readonly ephemeral?: boolean
}

const jobsOfApplication = 100
const instancesOfApplication = 2
/** A transaction has to fit into a packet of a megabyte. */
const deadOfTransaction = 2000

export function applicationOf(job: number): number {
  return Math.floor(job / jobsOfApplication)
}

export function applicationCount({ jobs }: NamespaceSize): number {
  return Math.ceil(jobs / jobsOfApplication)
}

export function jobName(job: number): string {
  return `job-${String(job).padStart(5, '0')}`
}

/** The addresses of an application's instances. */
export function addressesOf(application: number): string[] {
  return Array.from(
    { length: instancesOfApplication },
    (_, index) => `10.${application >> 8}.${application & 255}.${index + 1}`,
  )
}

export function instanceOf(address: string): string {
  return `${address}@-@1-abcdefgh`
}

export function configurationOf(job: number, shards: number, description: string): string {
  const [minute, hour] = [job % 60, job % 24]
  return [
    `cron: 0 ${minute} ${hour} * * ?`,
    `description: ${description}`,
    'disabled: false',
    'failover: true',
    `jobName: ${jobName(job)}`,
    "jobParameter: ''",
    'maxTimeDiffSeconds: -1',
    'misfire: true',
    'monitorExecution: true',
    'overwrite: false',
    'reconcileIntervalMinutes: 10',
    "shardingItemParameters: ''",
    `shardingTotalCount: ${shards}`,
    'staticSharding: false',
    '',
  ].join('\n')
}

/** All of one job, parents first; `now`: its shards ran within the hour before. */
export function nodesOf(namespace: string, job: number, shards: number, now: number): Node[] {
  const name = jobName(job)
  const root = `/${namespace}/${name}`
  const state = `/${namespace}.state`
  const addresses = addressesOf(applicationOf(job))
  const instances = addresses.map(instanceOf)
  const owner = (shard: number): string => instances[shard % instances.length] as string
  const folder = (path: string): Node => ({ path, data: '' })
  const shardingItems = Array.from({ length: shards }, (_, shard) => shard)
  return [
    folder(root),
    { path: `${root}/config`, data: configurationOf(job, shards, `Work number ${job}`) },
    folder(`${root}/servers`),
    ...addresses.map((ip) => ({ path: `${root}/servers/${ip}`, data: 'ENABLED' })),
    folder(`${root}/instances`),
    ...instances.map((instance) => ({
      path: `${root}/instances/${instance}`,
      data: `jobInstanceId: ${instance}\nserverIp: ${instance.split('@')[0]}\n`,
      ephemeral: true,
    })),
    folder(`${root}/leader`),
    folder(`${root}/leader/election`),
    { path: `${root}/leader/election/instance`, data: owner(0), ephemeral: true },
    {
      path: `${root}/leader/sharding`,
      data: JSON.stringify({
        digest: 'measured',
        instances,
        runs: shardingItems.map((shard) => [shard % instances.length, 1]),
      }),
    },
    folder(`${root}/sharding`),
    ...shardingItems.flatMap((shard) => [
      folder(`${root}/sharding/${shard}`),
      { path: `${root}/sharding/${shard}/instance`, data: owner(shard) },
    ]),
    { path: `${state}/jobs/${name}`, data: '{"lastRound":0}' },
    folder(`${state}/execution/${name}`),
    ...shardingItems.map((shard) => ({
      path: `${state}/execution/${name}/${shard}`,
      data: stateOf(job, shard, owner(shard), now),
    })),
  ]
}

/** What is known of the last run of a shard. */
function stateOf(job: number, shard: number, instance: string, now: number): string {
  const begin = now - 60_000 * (1 + (job % 59)) + shard
  return JSON.stringify({
    state: 'idle',
    run: `run-${job}-${shard}`,
    instance,
    fireTime: begin - shard,
    source: 'cron',
    attempt: 1,
    round: 0,
    begin,
    end: begin + 1500,
    nextFireTime: begin + 86_400_000,
    outcome: (job + shard) % 50 === 0 ? 'failure' : 'success',
  })
}

/** The servers without an instance, in portions that a transaction can take. */
export function deadServersOf(namespace: string, { jobs, deadServers }: NamespaceSize): Node[][] {
  const node = (job: number, number: number): Node => ({
    path: `/${namespace}/${jobName(job)}/servers/172.${16 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`,
    data: 'ENABLED',
  })
  const inOne = Math.ceil(deadServers / 2)
  const others = Math.max(1, Math.min(jobs, jobsOfApplication) - 1)
  const nodes = Array.from({ length: deadServers }, (_, index) =>
    index < inOne
      ? node(0, index)
      : node(1 + ((index - inOne) % others), inOne + Math.floor((index - inOne) / others)),
  )
  const portions: Node[][] = []
  for (let at = 0; at < nodes.length; at += deadOfTransaction) {
    portions.push(nodes.slice(at, at + deadOfTransaction))
  }
  return portions
}
