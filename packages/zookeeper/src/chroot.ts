/** The root that all paths of a client are relative to. */
export class Chroot {
  readonly #root: string

  /** The empty string means no chroot. */
  constructor(root: string) {
    this.#root = root
  }

  toServer(path: string): string {
    if (this.#root === '') return path
    return path === '/' ? this.#root : this.#root + path
  }

  toClient(path: string): string {
    if (this.#root === '' || !path.startsWith(this.#root)) return path
    return path.length === this.#root.length ? '/' : path.slice(this.#root.length)
  }
}
