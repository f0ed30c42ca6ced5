import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

import type { WorkerTask } from './messages.ts'

/** The entry point next to this module, as source or compiled. */
const entry = import.meta.url.endsWith('.ts')
  ? new URL('./entry.ts', import.meta.url)
  : new URL('./entry.js', import.meta.url)

/** tsx by its name, or as the path that it adds to the flags of the process it starts. */
const tsxLoader = /^tsx(\/esm)?$|\/tsx\/dist\/loader\.mjs$/

export interface WorkerStart {
  readonly task: WorkerTask
  /** Undefined for the flags of this process. */
  readonly execArgv: readonly string[] | undefined
}

/**
 * Starts a thread for a job. tsx serves only the main thread: if this process runs on tsx, the thread has to register
 * tsx itself, or it could not load a job written in TypeScript.
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
