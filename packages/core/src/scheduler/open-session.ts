import { newInstanceId } from '../job-tree/instance-id.ts'
import { connect, type RaisedTimeout } from '../registry/connect.ts'
import type { RegistryClient } from '../registry/registry-client.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { RegistrySession } from '../registry/registry-session.ts'
import type { ResolvedElasticJobOptions } from './elastic-job-options.ts'
import type { ProcessServices } from './process-services.ts'
import { SessionSlot } from './session-slot.ts'

/** After these errors opening a session is retried: all of its steps are idempotent. */
const losses = [
  'REGISTRY_CONNECTION_LOSS',
  'REGISTRY_NOT_CONNECTED',
  'REGISTRY_SESSION_EXPIRED',
] as const

/** Opens a session without jobs. `timeoutRaised`: called if the session timeout had to be raised. */
export async function openSession(
  { registry, environment }: ResolvedElasticJobOptions,
  services: ProcessServices,
  timeoutRaised: (raised: RaisedTimeout) => void,
): Promise<SessionSlot> {
  for (let retry = 0; ; retry++) {
    const client = await connect(registry, environment, timeoutRaised)
    try {
      return await slotOf(client, services)
    } catch (error) {
      await client.close()
      const isLoss = isRegistryError(error, ...losses)
      if (!isLoss || retry >= registry.maxRetries) throw client.refusalOf(error)
    }
  }
}

async function slotOf(
  client: RegistryClient,
  { ip, random, namespace, state, time, emit }: ProcessServices,
): Promise<SessionSlot> {
  const newInstance = (): string => newInstanceId(ip, process.pid, random)
  const session = await RegistrySession.open(client, state, newInstance, time)
  const slot = new SessionSlot(session, namespace, state, emit)
  await slot.start()
  return slot
}
