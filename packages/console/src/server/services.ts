/** The services that handlers use. */
import type { Clock, Logger } from '@elasticjob/core'

import type { Accounts } from './accounts/accounts.ts'
import type { Choices } from './accounts/choices.ts'
import type { KnownAddresses } from './accounts/known-addresses.ts'
import type { Sessions } from './accounts/sessions.ts'
import type { Throttle } from './accounts/throttle.ts'
import type { AuditLog } from './audit/audit-log.ts'
import type { Refusals } from './audit/refusals.ts'
import type { DataSources } from './connections/data-sources.ts'
import type { Registries } from './connections/registries.ts'
import type { AllowedHosts } from './http/allowed-hosts.ts'
import type { StreamPlaces } from './live/stream-places.ts'

export interface Services {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly throttle: Throttle
  readonly knownAddresses: KnownAddresses
  readonly streams: StreamPlaces
  readonly hosts: AllowedHosts
  readonly choices: Choices
  readonly audit: AuditLog
  readonly refusals: Refusals
  readonly registries: Registries
  readonly sources: DataSources
  readonly clock: Clock
  readonly version: string
  /** Whether to trust the headers of a proxy. */
  readonly trustProxy: boolean
  /** The base path of every URL; empty at the root. */
  readonly basePath: string
  readonly logger: Logger
  /** Called with every error of a request; unexpected errors are logged. */
  readonly failed: (error: unknown) => void
  /** Aborted when the console stops: streams end with it. */
  readonly stopping: AbortSignal
}
