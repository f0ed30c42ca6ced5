/** A typed client of Apache ZooKeeper. */
export { creatorAcl, digestId, openAcl, readOnlyAcl } from './acl.ts'
export {
  type CreateOptions,
  type MultiReadResult,
  type NodeContent,
  type ReadOptions,
  type VersionOptions,
  type Watch,
  ZooKeeper,
} from './client.ts'
export { zooKeeperDefaults, type ZooKeeperOptions } from './client-options.ts'
export { type Clock, systemClock, type Timer } from './clock.ts'
export {
  type ByteStream,
  type ByteStreamHandler,
  type Endpoint,
  networkTransport,
  type TlsOptions,
  type Transport,
} from './connection/transport.ts'
export type { NodeOptions } from './create-options.ts'
export type { ParentKind } from './create-parents.ts'
export { type Data, toBytes, toText } from './data.ts'
export {
  errorCodes,
  isZooKeeperError,
  MultiError,
  ZooKeeperError,
  type ZooKeeperErrorCode,
} from './errors.ts'
export type { SessionState, ZooKeeperEvents } from './events.ts'
export type { Children, Created, NodeAcl } from './jute/node-operations.ts'
export { permission } from './jute/op-codes.ts'
export type { Acl, AclId, Stat } from './jute/records.ts'
export type { ClientIdentity } from './jute/session-operations.ts'
export { ancestorsOf, childOf, isWithin, nameOf, parentOf, validatePath } from './paths.ts'
export { type Random, systemRandom } from './random.ts'
export type { Lease, LeaseOptions, LeaseTerms } from './session/lease.ts'
export type { LeaseHold } from './session/lease-holds.ts'
export type { AnswerOptions, RequestOptions } from './session/pending-call.ts'
export type { SaslCredentials } from './session/sasl-digest-md5.ts'
export type { PersistentMode, WatchEvent, WatchListener } from './session/watch-registry.ts'
export { part, read, type ReadPart, type ResultsOf, type TransactionPart } from './transaction.ts'
export {
  LeaderLatch,
  type LeaderLatchEvents,
  type LeaderLatchOptions,
  type Participant,
} from './recipes/leader-latch.ts'
export {
  type CachedNode,
  type Freshness,
  TreeCache,
  type TreeCacheEvents,
} from './recipes/tree-cache.ts'
