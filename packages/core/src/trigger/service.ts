import { isZooKeeperError, part } from '@elasticjob/zookeeper'

import { isTriggerMark } from '../config/instance-yaml.ts'
import { ElasticJobError } from '../errors.ts'
import type { Coordination, Step } from '../job-tree/coordination.ts'
import type { Round } from '../job-tree/job-word.ts'
import { readWords } from '../job-tree/read-words.ts'
import {
  failedItems,
  forgottenTriggers,
  isComplete,
  itemsOfRound,
  planAdvance,
  planConversion,
  planRound,
  type RoundRequest,
} from './plan.ts'

export interface RoundSettings {
  readonly total: number
  readonly monitorExecution: boolean
  readonly failover: boolean
  /** Whether this instance leads: the leader says when a round is over. */
  readonly leads: boolean
}

/** How often a request is made again because somebody else changed the job's word first. */
const attempts = 20

/** Asks for rounds, understands how Java and 2.x ask for them, and says when one is over. */
export class TriggerService {
  readonly #host: Coordination
  readonly #instanceText: () => string
  #firstTrigger: number | undefined
  /** What the words were last looked at for: nothing can be different before a mark has come or gone. */
  #looked = ''
  /** The last round that was seen to be over. */
  #over: number | undefined

  constructor(host: Coordination, instanceText: () => string) {
    this.#host = host
    this.#instanceText = instanceText
  }

  async ask(request: RoundRequest): Promise<Round> {
    const { session, replica, jobName, emit } = this.#host
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await this.#host.quiet()
      const plan = planRound(replica, this.#host.member(), request, session.now())
      if (plan.operations.length === 0) return plan.round
      try {
        await session.commit(plan.operations)
        emit('round:asked', { jobName, round: plan.round.id })
        return plan.round
      } catch (error) {
        if (!isZooKeeperError(error, 'ZK_BAD_VERSION', 'ZK_NODE_EXISTS')) throw error
      }
    }
    throw new ElasticJobError(
      'JOB_TRIGGER_PENDING',
      `job ${jobName} is being changed by others all the time; try again`,
    )
  }

  /** Asks for a round of those items alone whose last run has failed. */
  async askForFailed({ total, failover }: RoundSettings, parameter?: string): Promise<Round> {
    const { session, replica, jobName } = this.#host
    await this.#host.quiet()
    const words = await readWords(session, replica.paths, [...Array(total).keys()])
    const items = failedItems(replica, words, failover)
    if (items.length > 0)
      return this.ask({ items, ...(parameter === undefined ? {} : { parameter }) })
    throw new ElasticJobError(
      'JOB_NOTHING_FAILED',
      `no item of job ${jobName} has failed the last time it ran; there is nothing to run again`,
    )
  }

  step(now: number, settings: RoundSettings): Step {
    this.#tellOver()
    return (
      this.#oldTrigger() ??
      this.#convert(now) ??
      this.#advance(settings) ??
      (settings.leads ? this.#forget() : undefined)
    )
  }

  /** 2.x writes its wish into the node of the instance. */
  #oldTrigger(): Step {
    const { session, replica } = this.#host
    const { instanceData } = replica
    if (instanceData?.instance !== session.instance || !isTriggerMark(instanceData.text)) {
      return undefined
    }
    replica.instanceData = undefined
    const { paths } = this.#host.member()
    return session
      .commit([part.set(paths.instance(session.instance), this.#instanceText())])
      .then(async () => {
        await this.ask({ instances: [session.instance] })
      })
  }

  #convert(now: number): Step {
    const { session, replica, jobName, emit } = this.#host
    if (replica.triggers.size === 0) {
      this.#firstTrigger = undefined
      return undefined
    }
    this.#firstTrigger ??= now
    const decision = planConversion(replica, this.#host.member(), now, this.#firstTrigger)
    if (decision.do === 'nothing') return undefined
    if (decision.do === 'wait') return decision.until
    return session.commit(decision.operations).then(() => {
      emit('round:asked', { jobName, round: decision.round.id })
    })
  }

  #forget(): Step {
    const { session, replica, jobName, emit } = this.#host
    const [instance] = forgottenTriggers(replica)
    if (instance === undefined) return undefined
    return session.commit([part.delete(replica.paths.trigger(instance))]).then(() => {
      emit('repair:made', { jobName, what: `a trigger for ${instance}, which is gone` })
    })
  }

  #advance({ leads, total, monitorExecution, failover }: RoundSettings): Step {
    const { replica } = this.#host
    const round = replica.word?.value.running
    if (round === undefined || !leads) return undefined
    // Nobody writes down what came of it: who has seen the round runs it.
    if (!monitorExecution) return this.#advanceNow()
    const items = itemsOfRound(replica, round, total)
    if (items.some((item) => replica.items.get(item)?.running === true)) return undefined
    const living = [...replica.alive].toSorted().join()
    const looked = [round.id, replica.marks, items.join(), living].join(' ')
    if (this.#looked === looked) return undefined
    this.#looked = looked
    return this.#advanceIfComplete(round, items, failover)
  }

  async #advanceIfComplete(
    round: Round,
    items: readonly number[],
    failover: boolean,
  ): Promise<void> {
    const { session, replica } = this.#host
    try {
      const words = await readWords(session, replica.paths, items)
      if (isComplete(replica, round, items, words, failover)) await this.#advanceNow()
    } catch (error) {
      // Somebody has asked for another round first, or the connection is gone: no mark will say so.
      this.#looked = ''
      throw error
    }
  }

  async #advanceNow(): Promise<void> {
    const { session, replica } = this.#host
    await session.commit(planAdvance(replica, this.#host.member()))
  }

  /** Everybody hears of a round that is over, whoever has found it so. */
  #tellOver(): void {
    const { replica, jobName, emit } = this.#host
    const over = replica.word?.value.previous?.id ?? 0
    const known = this.#over ?? over
    this.#over = over
    for (let round = known + 1; round <= over; round++) emit('round:completed', { jobName, round })
  }
}
