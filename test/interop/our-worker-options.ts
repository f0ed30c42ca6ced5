/** What a worker of ours is told, as an argument. */
export interface OurWorkerOptions {
  readonly servers: string
  readonly namespace: string
  readonly sessionTimeout: number
  /** That of the server. */
  readonly tickTime: number
  /** A host of its own, as far as the registry can tell. */
  readonly ip: string
}
