/** Hints for experiments while dev runs. */
import type { Worker } from './workers.ts'

interface Parts {
  readonly servers: string
  readonly namespace: string
  readonly workers: readonly Worker[]
}

export function introduction(parts: Parts & { readonly seconds: number | undefined }): string[] {
  const { servers, workers, seconds } = parts
  return [
    `${workers.length} workers run jobs through an embedded server on ${servers}:`,
    '',
    ...workers.map(({ name, pid }) => `  ${name}  pid ${pid}`),
    '',
    ...(seconds === undefined ? [] : [`Ends after ${seconds} seconds.`]),
  ]
}

export function hints({ servers, namespace, workers }: Parts): string[] {
  const alive = workers.find(({ state }) => state === 'starting' || state === 'working')
  const pid = (alive ?? workers[0])?.pid
  return [
    `Stop a worker with kill ${pid}, crash it with kill -9 ${pid}. Press Ctrl-C to stop everything.`,
    'In another terminal:',
    `  export ELASTICJOB_SERVERS=${servers} ELASTICJOB_NAMESPACE=${namespace}`,
    `  ${programName} top`,
    `  ${programName} disable --server 127.0.0.1`,
  ]
}

/** In a clone of the repository the program is not installed. */
const programName = import.meta.url.endsWith('.ts')
  ? 'npm run --silent elasticjob --'
  : 'elasticjob'
