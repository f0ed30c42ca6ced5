/** The path that all of a client's paths are relative to. */
export class Chroot {
  readonly #root: string

  /** The empty string is the root itself. */
  constructor(root: string) {
    this.#root = root
  }

  /** The path as the server knows it. */
  toServer(path: string): string {
    if (this.#root === '') return path
    return path === '/' ? this.#root : this.#root + path
  }

  /** The path as the caller knows it. */
  toClient(path: string): string {
    if (this.#root === '' || !path.startsWith(this.#root)) return path
    return path.length === this.#root.length ? '/' : path.slice(this.#root.length)
  }
}
