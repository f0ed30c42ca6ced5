/** Time and timers come in through these. */
export { type Clock, systemClock, type Timer } from '@elasticjob/zookeeper'
