/** Time, timers and chance come in through these, so that a whole cluster can run in a simulation. */
export { type Clock, systemClock, type Timer } from '@elasticjob/zookeeper'
