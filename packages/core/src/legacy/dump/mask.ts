/** Addresses are taken out of a dump, which people send to each other. */
const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d{2}|[1-9]?\d)`
const address = new RegExp(String.raw`${octet}(?:\.${octet}){3}`, 'g')

/** Gives every address another name, `ip1`, `ip2` …, and the same address always the same one. */
export class AddressMask {
  readonly #names = new Map<string, string>()

  mask(text: string): string {
    return text.replaceAll(address, (found) => {
      let name = this.#names.get(found)
      if (name === undefined) {
        name = `ip${this.#names.size + 1}`
        this.#names.set(found, name)
      }
      return name
    })
  }
}
