/** What every part of a Java instance knows of its job. */
import type { TreeCache } from '@elasticjob/zookeeper'
import { toText } from '@elasticjob/zookeeper'

import type { Curator } from './curator.ts'

export interface JavaSettings {
  readonly period: number
  readonly total: number
  readonly failover: boolean
  readonly misfire: boolean
  readonly monitorExecution: boolean
  readonly staticSharding: boolean
  readonly strategy: string
}

export class JavaJob {
  readonly jobName: string
  readonly root: string
  readonly instance: string
  readonly ip: string
  readonly registry: Curator
  readonly #cache: TreeCache
  /** Its code runs at this moment. */
  isRunning = false
  isShutDown = false
  isPaused = false

  constructor(
    parts: Pick<JavaJob, 'jobName' | 'root' | 'instance' | 'ip' | 'registry'>,
    cache: TreeCache,
  ) {
    this.jobName = parts.jobName
    this.root = parts.root
    this.instance = parts.instance
    this.ip = parts.ip
    this.registry = parts.registry
    this.#cache = cache
  }

  path(...names: readonly (string | number)[]): string {
    return [this.root, ...names].join('/')
  }

  /** What the cache says, which may be behind; what it does not have is asked of the server. */
  async cached(path: string): Promise<string | undefined> {
    const isLoaded = this.#cache.freshness.state !== 'unloaded'
    const node = isLoaded ? this.#cache.get(path) : undefined
    return node === undefined ? this.registry.read(path) : toText(node.data)
  }

  async settings(): Promise<JavaSettings | undefined> {
    return settingsOf((await this.cached(this.path('config'))) ?? '')
  }

  /** Asked of the server. */
  async readSettings(): Promise<JavaSettings | undefined> {
    return settingsOf((await this.registry.read(this.path('config'))) ?? '')
  }

  /** A server counts only if it says so; one that says nothing is asked again for a while. */
  async isServerEnabled(ip: string): Promise<boolean> {
    for (let tries = 0; tries < 10; tries++) {
      const text = await this.cached(this.path('servers', ip))
      if (text !== undefined && text !== '') return text === 'ENABLED'
      await this.registry.sleep(100)
    }
    return false
  }

  async isServerAvailable(ip: string): Promise<boolean> {
    if (!(await this.isServerEnabled(ip))) return false
    const instances = await this.registry.children(this.path('instances'))
    return instances.some((instance) => instance.startsWith(ip))
  }

  async availableInstances(): Promise<string[]> {
    const available: string[] = []
    for (const instance of await this.registry.children(this.path('instances'))) {
      const text = await this.cached(this.path('instances', instance))
      const ip = instance.slice(0, instance.indexOf('@-@'))
      if (text !== undefined && text !== '' && (await this.isServerEnabled(ip))) {
        available.push(instance)
      }
    }
    return available
  }
}

export function settingsOf(text: string): JavaSettings | undefined {
  if (text === '') return undefined
  const valueOf = (key: string): string => new RegExp(`^${key}: (.*)$`, 'm').exec(text)?.[1] ?? ''
  return {
    period: Number(/0\/(\d+)/.exec(valueOf('cron'))?.[1] ?? 1) * 1000,
    total: Number(valueOf('shardingTotalCount')),
    failover: valueOf('failover') === 'true',
    misfire: valueOf('misfire') === 'true',
    monitorExecution: valueOf('monitorExecution') === 'true',
    staticSharding: valueOf('staticSharding') === 'true',
    strategy: valueOf('jobShardingStrategyType'),
  }
}
