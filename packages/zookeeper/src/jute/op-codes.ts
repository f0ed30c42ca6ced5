/** The request types of the protocol. */
export const opCode = {
  create: 1,
  delete: 2,
  exists: 3,
  getData: 4,
  setData: 5,
  getAcl: 6,
  setAcl: 7,
  getChildren: 8,
  sync: 9,
  ping: 11,
  getChildren2: 12,
  check: 13,
  multi: 14,
  create2: 15,
  reconfig: 16,
  checkWatches: 17,
  removeWatches: 18,
  createContainer: 19,
  deleteContainer: 20,
  createTtl: 21,
  multiRead: 22,
  auth: 100,
  setWatches: 101,
  sasl: 102,
  getEphemerals: 103,
  getAllChildrenNumber: 104,
  setWatches2: 105,
  addWatch: 106,
  whoAmI: 107,
  createSession: -10,
  closeSession: -11,
  error: -1,
} as const

/** The xids that are not requests of a caller. */
export const reservedXid = {
  notification: -1,
  ping: -2,
  auth: -4,
  setWatches: -8,
} as const

/** The flags of a create request. */
export const createFlag = {
  persistent: 0,
  ephemeral: 1,
  persistentSequential: 2,
  ephemeralSequential: 3,
  container: 4,
  persistentTtl: 5,
  persistentSequentialTtl: 6,
} as const

/** The modes of an addWatch request. */
export const addWatchMode = { persistent: 0, persistentRecursive: 1 } as const

/** The watches that a check or removal applies to. */
export const watcherType = { children: 1, data: 2, any: 3 } as const

/** The types of a watch notification. */
export const eventType = {
  none: -1,
  created: 1,
  deleted: 2,
  dataChanged: 3,
  childrenChanged: 4,
  dataWatchRemoved: 5,
  childWatchRemoved: 6,
  persistentWatchRemoved: 7,
} as const

/** The states in a watch notification. */
export const keeperState = { disconnected: 0, syncConnected: 3, expired: -112 } as const

/** The permission bits of an ACL entry. */
export const permission = { read: 1, write: 2, create: 4, delete: 8, admin: 16, all: 31 } as const

/** The default of the servers' `jute.maxbuffer`: the largest request they accept. */
export const defaultMaxBuffer = 0xfffff
