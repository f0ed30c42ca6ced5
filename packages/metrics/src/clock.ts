/** Time comes from outside: a test decides what it is. */
export { type Clock, systemClock } from '@elasticjob/zookeeper'
