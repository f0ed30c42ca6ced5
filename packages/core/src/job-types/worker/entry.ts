/** The entry point of a worker thread: runs the job's function with a context that sends messages to the scheduler. */
import { parentPort, workerData } from 'node:worker_threads'

import type { Logger } from '../../logger.ts'
import type { ShardingContext } from '../context.ts'
import type { SimpleJob } from '../simple.ts'
import { errorFromData, errorToData } from './error-data.ts'
import type { ContextData, FromWorker, ToWorker, WorkerTask } from './messages.ts'

interface SaveCall {
  resolve(): void
  reject(error: Error): void
}

const calls = new Map<number, SaveCall>()
let lastCall = 0
let running: { readonly run: number; readonly controller: AbortController } | undefined

// Loads the module before it receives the first run: a failure ends the worker and its run.
const job = await jobOf(workerData as WorkerTask)
parentPort?.on('message', hear)

function hear(message: ToWorker): void {
  switch (message.kind) {
    case 'run':
      void runJob(message.run, message.context)
      return
    case 'abort':
      if (running?.run === message.run) running.controller.abort(errorFromData(message.reason))
      return
    case 'offset-saved': {
      const call = calls.get(message.call)
      calls.delete(message.call)
      if (message.error === undefined) call?.resolve()
      else call?.reject(errorFromData(message.error))
    }
  }
}

function tell(message: FromWorker): void {
  parentPort?.postMessage(message)
}

async function jobOf({ module, exportName }: WorkerTask): Promise<SimpleJob> {
  const exported = (await import(module)) as Readonly<Record<string, unknown>>
  const names = Object.keys(exported).filter((name) => typeof exported[name] === 'function')
  const name = exportName ?? (names.length === 1 ? names[0] : undefined)
  if (name !== undefined && names.includes(name)) return exported[name] as SimpleJob
  const found = `it exports ${names.length === 0 ? 'none' : names.join(', ')}`
  throw new Error(
    exportName === undefined
      ? `without exportName the module must export one function; ${found}`
      : `the module exports no function "${exportName}"; ${found}`,
  )
}

async function runJob(run: number, data: ContextData): Promise<void> {
  const controller = new AbortController()
  running = { run, controller }
  try {
    await job(contextOf(run, data, controller.signal))
    tell({ kind: 'ended', run, error: undefined })
  } catch (error) {
    tell({ kind: 'ended', run, error: errorToData(error) })
  }
}

function contextOf(run: number, data: ContextData, signal: AbortSignal): ShardingContext {
  let { offset } = data
  return {
    ...data,
    get offset() {
      return offset
    },
    async saveOffset(value) {
      await saved(run, value)
      offset = value
    },
    signal,
    logger: loggerOf(run),
  }
}

function saved(run: number, offset: string): Promise<void> {
  lastCall += 1
  const call = lastCall
  return new Promise((resolve, reject) => {
    calls.set(call, { resolve, reject })
    tell({ kind: 'save-offset', run, call, offset })
  })
}

function loggerOf(run: number): Logger {
  const logAt =
    (level: keyof Logger) =>
    (message: string): void =>
      tell({ kind: 'log', run, level, message })
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
}
