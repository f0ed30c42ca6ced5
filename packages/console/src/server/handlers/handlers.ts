/** All handlers; the type ensures that none is missing. */
import type { Handlers } from '../http/handler.ts'
import { bulkHandlers } from './bulk.ts'
import { configurationHandlers } from './configuration.ts'
import { connectionHandlers } from './connections.ts'
import { historyHandlers } from './history.ts'
import { jobHandlers } from './jobs.ts'
import { liveHandlers } from './live.ts'
import { serverHandlers } from './servers.ts'
import { sessionHandlers } from './session.ts'

export const handlers: Handlers = {
  ...sessionHandlers,
  ...jobHandlers,
  ...bulkHandlers,
  ...configurationHandlers,
  ...serverHandlers,
  ...connectionHandlers,
  ...historyHandlers,
  ...liveHandlers,
}
