/** The registries and data sources that were added in the console, with their passwords, in a file of mode 0600. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { messageOf } from '@elasticjob/core/internal'
import { z } from 'zod'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'

const storedRegistry = z.object({
  name: z.string(),
  servers: z.string(),
  namespace: z.string(),
  digest: z.string().optional(),
  dataSource: z.string().optional(),
})
export type StoredRegistry = z.infer<typeof storedRegistry>

const storedSource = z.object({
  name: z.string(),
  /** Without user and password. */
  url: z.string(),
  username: z.string().optional(),
  password: z.string().optional(),
})
export type StoredSource = z.infer<typeof storedSource>

const content = z.object({
  registries: z.array(storedRegistry).default([]),
  dataSources: z.array(storedSource).default([]),
})
export type Connections = z.infer<typeof content>

export class ConnectionFile {
  /** Undefined: the entries are lost when the process ends. */
  readonly #path: string | undefined
  #connections: Connections

  constructor(path: string | undefined) {
    this.#path = path
    this.#connections = path === undefined ? content.parse({}) : read(path)
  }

  get connections(): Connections {
    return this.#connections
  }

  /** Atomic: a partly written file never replaces the previous one. */
  write(connections: Connections): void {
    const path = this.#path
    if (path !== undefined) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const actionPlan = `${path}.new`
      writeFileSync(actionPlan, `${JSON.stringify(connections, undefined, 2)}\n`, { mode: 0o600 })
      chmodSync(actionPlan, 0o600)
      renameSync(actionPlan, path)
    }
    this.#connections = connections
  }
}

function read(path: string): Connections {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return content.parse({})
    throw unreadable(path, error)
  }
  try {
    const connections = content.parse(JSON.parse(text))
    // The file may have been copied, with another mode.
    chmodSync(path, 0o600)
    return connections
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, cause: unknown): ConsoleError {
  return new ConsoleError(
    'CONSOLE_STATE_UNREADABLE',
    message('file-unreadable', { path, reason: messageOf(cause) }),
    {
      cause,
    },
  )
}
