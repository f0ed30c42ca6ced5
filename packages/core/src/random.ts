export { type Random, systemRandom } from '@elasticjob/zookeeper'
