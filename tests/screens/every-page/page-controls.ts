/** The links and forms of a page, read from its HTML, as a browser without JavaScript sends them. */

export type Offer =
  | { kind: 'link'; to: string; words: string }
  | { kind: 'form'; to: string; words: string; fields: [string, string][] }

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" }
const decode = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name) => ENTITIES[name] ?? '')
const wordsOf = (html: string) =>
  decode(html.replace(/<!--.*?-->/gs, '').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

type Attributes = Record<string, string | undefined>
const attributesOf = (tag: string): Attributes =>
  Object.fromEntries(
    [...tag.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)]
      .slice(1)
      .map(([, name = '', value = '']) => [name.toLowerCase(), decode(value)]),
  )

/** Every link and form of the page at `address`. */
export function offersOf(page: string, address: string): Offer[] {
  const html = page.replace(/<script.*?<\/script>/gs, '')
  return [...linksOf(html, address), ...formsOf(html, address)]
}

function linksOf(html: string, address: string): Offer[] {
  return [...html.matchAll(/(<a\s[^>]*>)(.*?)<\/a>/gs)].flatMap(([, tag = '', inside = '']) => {
    const { href } = attributesOf(tag)
    return href ? [{ kind: 'link', to: resolve(href, address), words: wordsOf(inside) }] : []
  })
}

function formsOf(html: string, address: string): Offer[] {
  return [...html.matchAll(/(<form[^>]*>)(.*?)<\/form>/gs)].flatMap(([, tag = '', inside = '']): Offer[] => {
    const form = attributesOf(tag)
    const fields = fieldsOf(inside)
    // A button can name a form elsewhere on the page.
    const named = form.id ? buttonsOf(html).filter((button) => button.form === form.id) : []
    const buttons = [...buttonsOf(inside).filter((button) => button.form === undefined), ...named]
    return buttons
      .filter((button) => button.type !== 'button' && button.disabled === undefined)
      .map((button): Offer => {
        const own: [string, string][] = button.name ? [[button.name, button.value ?? '']] : []
        const sent = [...fields, ...own]
        const to = resolve(button.formaction ?? form.action ?? '', address)
        const words = button.words ?? ''
        if ((button.formmethod ?? form.method)?.toLowerCase() === 'post')
          return { kind: 'form', to, words, fields: sent }
        return { kind: 'link', to: `${to.split('?')[0]}?${new URLSearchParams(sent)}`, words }
      })
  })
}

const buttonsOf = (html: string) =>
  [...html.matchAll(/(<button[^>]*>)(.*?)<\/button>/gs)].map(
    ([, tag = '', inside = '']): Attributes => ({ ...attributesOf(tag), words: wordsOf(inside) }),
  )

/** The values that the fields already have. */
function fieldsOf(form: string): [string, string][] {
  const inputs = [...form.matchAll(/<input[^>]*>/g)].flatMap(([tag]): [string, string][] => {
    const { name, type = 'text', value, checked, disabled } = attributesOf(tag)
    if (!name || disabled !== undefined || type === 'file') return []
    if (type === 'checkbox' || type === 'radio') return checked === undefined ? [] : [[name, value ?? 'on']]
    return [[name, value ?? '']]
  })
  const areas = [...form.matchAll(/(<textarea[^>]*>)(.*?)<\/textarea>/gs)].flatMap(
    ([, tag = '', text = '']): [string, string][] => {
      const { name } = attributesOf(tag)
      return name ? [[name, decode(text)]] : []
    },
  )
  const selects = [...form.matchAll(/(<select[^>]*>)(.*?)<\/select>/gs)].flatMap(
    ([, tag = '', options = '']): [string, string][] => {
      const { name } = attributesOf(tag)
      const all = [...options.matchAll(/<option[^>]*>/g)].map(([option]) => attributesOf(option))
      const chosen = all.find(({ selected }) => selected !== undefined) ?? all[0]
      return name && chosen ? [[name, chosen.value ?? '']] : []
    },
  )
  return [...inputs, ...areas, ...selects]
}

/** Resolves an address within the site; others stay unchanged. */
function resolve(href: string, address: string): string {
  const here = new URL(address, 'http://site.test')
  const url = new URL(href || here.href, here)
  return url.origin === here.origin ? url.pathname + url.search : url.href
}
