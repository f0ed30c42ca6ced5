import { newInstanceId } from '../job-tree/instance-id.ts'
import { connect, type RaisedTimeout } from '../registry/connect.ts'
import type { RegistryClient } from '../registry/registry-client.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { RegistrySession } from '../registry/registry-session.ts'
import type { ResolvedElasticJobOptions } from './elastic-job-options.ts'
import type { ProcessServices } from './process-services.ts'
import { SessionSlot } from './session-slot.ts'

/** Opens the sessions of a process. */
export class SessionOpener {
  readonly #options: Pick<ResolvedElasticJobOptions, 'registry' | 'environment'>
  readonly #services: ProcessServices
  #raisedTimeout: RaisedTimeout | undefined

  constructor(
    options: Pick<ResolvedElasticJobOptions, 'registry' | 'environment'>,
    services: ProcessServices,
  ) {
    this.#options = options
    this.#services = services
  }

  /** The session timeout that had to be raised; undefined if none had to be. */
  get raisedTimeout(): RaisedTimeout | undefined {
    return this.#raisedTimeout
  }

  /** A connection that breaks before the session stands is made again: all of it may be done twice. */
  async open(): Promise<SessionSlot> {
    const losses = [
      'REGISTRY_CONNECTION_LOSS',
      'REGISTRY_NOT_CONNECTED',
      'REGISTRY_SESSION_EXPIRED',
    ] as const
    const { registry, environment } = this.#options
    for (let retry = 0; ; retry++) {
      const client = await connect(registry, environment, (raised) => {
        this.#raisedTimeout = raised
      })
      try {
        return await this.#slotOf(client)
      } catch (error) {
        await client.close()
        const isLoss = isRegistryError(error, ...losses)
        if (!isLoss || retry >= registry.maxRetries) throw client.refusalOf(error)
      }
    }
  }

  async #slotOf(client: RegistryClient): Promise<SessionSlot> {
    const { ip, random, namespace, state, time, emit } = this.#services
    const newInstance = (): string => newInstanceId(ip, process.pid, random)
    const session = await RegistrySession.open(client, state, newInstance, time)
    const slot = new SessionSlot(session, namespace, state, emit)
    await slot.start()
    return slot
  }
}
