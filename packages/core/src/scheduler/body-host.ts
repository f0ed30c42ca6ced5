import type { OnError } from '../error-handlers/error-handler.ts'
import type { BarrierService } from '../barrier/service.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { isPaused, noJobState } from '../job-tree/job-state.ts'
import { failuresOf } from './failures-of.ts'
import type { LiveConfiguration } from './live-configuration.ts'
import type { ProcessServices } from './process-services.ts'
import type { BodyHost } from './run-body.ts'

/** What the code of a job's runs needs of its surroundings. */
export function bodyHostOf(
  host: Coordination,
  services: ProcessServices,
  live: LiveConfiguration,
  barrier: BarrierService,
  isYielding: BodyHost['isYielding'],
  onError: OnError | undefined,
): BodyHost {
  return {
    clock: host.session.clock,
    random: services.random,
    loggerOf: (runs) => services.loggerOf(runs),
    interceptors: services.interceptors,
    slots: live.slots,
    emit: services.emit,
    failures: failuresOf(host, services, live, onError),
    configuration: () => live.value,
    limits: () => live.limits,
    listeners: () => live.listeners,
    barrier,
    isYielding,
    isProven: () => host.session.client.lease.valid,
    isPaused: () => isPaused(host.replica.jobState?.value ?? noJobState, services.ip),
  }
}
