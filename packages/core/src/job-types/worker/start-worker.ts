import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

import type { WorkerTask } from './messages.ts'

/** Beside this module, whether that is the source or what was compiled from it. */
const entry = import.meta.url.endsWith('.ts')
  ? new URL('./entry.ts', import.meta.url)
  : new URL('./entry.js', import.meta.url)

/** tsx by its name, or as it puts itself among the flags of the process that it starts. */
const tsxLoader = /^tsx(\/esm)?$|\/tsx\/dist\/loader\.mjs$/

export interface WorkerStart {
  readonly task: WorkerTask
  /** Undefined for the flags of this process. */
  readonly execArgv: readonly string[] | undefined
}

/**
 * Starts a thread for a job. tsx serves the main thread alone: where this process runs on it, the
 * thread must register it for itself, or a job written in TypeScript could not be loaded.
 */
export function startWorker({ task, execArgv }: WorkerStart): Worker {
  const flags = execArgv === undefined ? {} : { execArgv: [...execArgv] }
  const loader = tsxAmong(execArgv ?? process.execArgv)
  if (loader === undefined) return new Worker(entry, { workerData: task, ...flags })
  const from = pathToFileURL(`${process.cwd()}/`).href
  const program = `
    import { register } from 'node:module'
    register(${JSON.stringify(loader)}, ${JSON.stringify(from)}, { data: true })
    await import(${JSON.stringify(entry.href)})`
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`)
  return new Worker(url, { workerData: task, ...flags })
}

function tsxAmong(flags: readonly string[]): string | undefined {
  return flags
    .map((flag, index) =>
      flag === '--import' ? flags[index + 1] : /^--import=(.*)$/.exec(flag)?.[1],
    )
    .find((value) => value !== undefined && tsxLoader.test(value))
}
