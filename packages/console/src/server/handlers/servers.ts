/** Servers and instances over all jobs. */
import type { Operations } from '@elasticjob/core/operations'

import type { ServerEntry } from '../../contract/servers.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import { dumpFromServer } from '../dump-from-server.ts'
import type { Handlers } from '../http/handler.ts'
import type { NamespaceView } from '../live/namespace-view.ts'
import { perform, registryOf } from './action.ts'
import { sliced } from './job-list.ts'

type ServerHandlers = Pick<
  Handlers,
  | 'countServers'
  | 'listServers'
  | 'showServer'
  | 'listServerJobs'
  | 'disableServer'
  | 'enableServer'
  | 'pauseServer'
  | 'resumeServer'
  | 'shutdownServer'
  | 'removeServer'
  | 'disableServerJob'
  | 'enableServerJob'
  | 'pauseServerJob'
  | 'resumeServerJob'
  | 'shutdownServerJob'
  | 'removeServerJob'
  | 'dumpFromServer'
  | 'listInstances'
>

export const serverHandlers: ServerHandlers = {
  countServers: async (ask) => (await registryOf(ask)).view.servers.size,

  listServers: async (ask) => {
    const { view } = await registryOf(ask)
    const { search = '', order } = ask.query
    const matching = view.servers.all().filter(({ serverIp }) => serverIp.includes(search.trim()))
    const { rows, total } = sliced(order === 'desc' ? matching.toReversed() : matching, ask.query)
    ask.context.header('X-Total-Count', String(total))
    ask.context.header('X-Revision', view.revision)
    return [...rows]
  },

  showServer: async (ask) => {
    const { view, operations } = await registryOf(ask)
    const entry = requireServer(view, ask.params.server)
    return {
      ...entry,
      hostName: await hostNameOf(operations, entry.serverIp),
      jobs: view.servers.jobs(entry.serverIp),
    }
  },

  listServerJobs: async (ask) => {
    const { view } = await registryOf(ask)
    const { server } = ask.params
    requireServer(view, server)
    const { search = '', order } = ask.query
    const wanted = search.trim().toLowerCase()
    const matching = view.servers
      .jobs(server)
      .filter(({ jobName }) => jobName.toLowerCase().includes(wanted))
    const { rows, total } = sliced(order === 'desc' ? matching.toReversed() : matching, ask.query)
    ask.context.header('X-Total-Count', String(total))
    return [...rows]
  },

  disableServer: (ask) => perform(ask, (operations) => operations.disable(ask.params)),
  enableServer: (ask) => perform(ask, (operations) => operations.enable(ask.params)),
  pauseServer: (ask) => perform(ask, (operations) => operations.pause(ask.params)),
  resumeServer: (ask) => perform(ask, (operations) => operations.resume(ask.params)),
  shutdownServer: (ask) =>
    perform(ask, (operations) => operations.shutdown(ask.params, { wait: ask.query.wait })),
  removeServer: (ask) =>
    perform(ask, (operations) => operations.remove(ask.params, departureOf(ask))),

  disableServerJob: (ask) => perform(ask, (operations) => operations.disable(ask.params)),
  enableServerJob: (ask) => perform(ask, (operations) => operations.enable(ask.params)),
  pauseServerJob: (ask) => perform(ask, (operations) => operations.pause(ask.params)),
  resumeServerJob: (ask) => perform(ask, (operations) => operations.resume(ask.params)),
  shutdownServerJob: (ask) =>
    perform(ask, (operations) => operations.shutdown(ask.params, { wait: ask.query.wait })),
  removeServerJob: (ask) =>
    perform(ask, (operations) => operations.remove(ask.params, departureOf(ask))),

  dumpFromServer: async (ask) => {
    const { view } = await registryOf(ask)
    return dumpFromServer(await view.job(ask.params.job), ask.params, ask.services.clock)
  },

  listInstances: async (ask) => (await registryOf(ask)).view.servers.instances(),
}

function departureOf(ask: {
  readonly query: { readonly wait?: number | undefined }
  readonly context: { readonly req: { readonly raw: Request } }
}): { wait: number | undefined; signal: AbortSignal } {
  return { wait: ask.query.wait, signal: ask.context.req.raw.signal }
}

function requireServer(view: NamespaceView, address: string): ServerEntry {
  const entry = view.servers.get(address)
  if (entry !== undefined) return entry
  throw new ConsoleError('CONSOLE_NOT_FOUND', message('server-unknown', { server: address }))
}

/** A failed lookup of a host name does not fail the request. */
async function hostNameOf(operations: Operations, address: string): Promise<string | undefined> {
  try {
    return (await operations.server(address)).hostName
  } catch {
    return undefined
  }
}
