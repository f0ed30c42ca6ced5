/** A real Prometheus on the loopback, with a directory of its own. */
import type { ChildProcess } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { freePort } from '../zookeeper/harness/free-port.ts'
import {
  exited,
  hasExited,
  ownedDirectory,
  removeOwnedDirectory,
  spawnOwned,
} from '../zookeeper/harness/owned-process.ts'
import { pathOf } from './programs.ts'

export interface PrometheusOptions {
  /** The addresses that are scraped every second. */
  readonly targets: readonly string[]
  /** The rules, as a file has them. */
  readonly rules: string
}

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly metric: Labels
  readonly value: number
}

export class Prometheus {
  readonly #child: ChildProcess
  readonly #url: string
  readonly #directory: string

  private constructor(child: ChildProcess, url: string, directory: string) {
    this.#child = child
    this.#url = url
    this.#directory = directory
  }

  static async start({ targets, rules }: PrometheusOptions): Promise<Prometheus> {
    const directory = await ownedDirectory('prometheus')
    const configuration = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['rules.yml'],
      scrape_configs: [{ job_name: 'elasticjob', static_configs: [{ targets }] }],
    }
    await writeFile(join(directory, 'rules.yml'), rules)
    // Every JSON is YAML.
    await writeFile(join(directory, 'prometheus.yml'), JSON.stringify(configuration))
    const port = await freePort()
    const logFile = join(directory, 'log')
    const log = openSync(logFile, 'a')
    const child = spawnOwned(
      pathOf('prometheus'),
      [
        `--config.file=${join(directory, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(directory, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=warn',
      ],
      ['ignore', log, log],
    )
    const started = new Prometheus(child, `http://127.0.0.1:${port}`, directory)
    await eventually(() => started.#isReady(logFile), { what: 'Prometheus that answers' })
    return started
  }

  /** What an expression is now. */
  async query(expression: string): Promise<readonly Sample[]> {
    const { result } = (await this.#ask(`query?query=${encodeURIComponent(expression)}`)) as {
      result: readonly { metric: Labels; value: readonly [number, string] }[]
    }
    return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
  }

  /** The alerts that fire, by their labels. */
  async firing(): Promise<readonly Labels[]> {
    const { alerts } = (await this.#ask('alerts')) as {
      alerts: readonly { labels: Labels; state: string }[]
    }
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels)
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await exited(this.#child)
    removeOwnedDirectory(this.#directory)
  }

  async #isReady(logFile: string): Promise<true | undefined> {
    if (hasExited(this.#child)) {
      throw new Error(`Prometheus has ended:\n${readFileSync(logFile, 'utf8')}`)
    }
    const answer = await fetch(`${this.#url}/-/ready`).catch(() => undefined)
    return answer?.ok === true ? true : undefined
  }

  async #ask(path: string): Promise<unknown> {
    const answer = await fetch(`${this.#url}/api/v1/${path}`)
    const { status, data, error } = (await answer.json()) as {
      status: string
      data: unknown
      error?: string
    }
    if (status !== 'success') throw new Error(`Prometheus says ${error}`)
    return data
  }
}
