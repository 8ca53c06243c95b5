/**
 * Ships of Radix Themes' stylesheet only what the screens use, and makes its dark colours follow the visitor's
 * preference instead of a class that a script would have to set. Runs on `app/ui/theme.css`.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { AtRule, Container, Declaration, Plugin, Root, Rule } from 'postcss'

/** The property of a Radix component behind each family of utility classes, where the names differ. */
const PROPERTIES: Record<string, string[]> = {
  ac: ['alignContent'],
  ai: ['align'],
  as: ['alignSelf'],
  cg: ['gapX'],
  fb: ['flexBasis'],
  fd: ['direction'],
  fg: ['flexGrow'],
  fs: ['flexShrink'],
  fw: ['wrap'],
  ga: ['gridArea'],
  gaf: ['flow'],
  gc: ['gridColumn'],
  gce: ['gridColumnEnd'],
  gcs: ['gridColumnStart'],
  gr: ['gridRow'],
  gre: ['gridRowEnd'],
  grs: ['gridRowStart'],
  gtc: ['columns'],
  gtr: ['rows'],
  h: ['height'],
  jc: ['justify'],
  ji: ['justifyItems'],
  js: ['justifySelf'],
  lt: ['trim'],
  max: ['maxWidth', 'maxHeight'],
  min: ['minWidth', 'minHeight'],
  ox: ['overflowX'],
  oy: ['overflowY'],
  rg: ['gapY'],
  ta: ['align'],
  tl: ['layout'],
  tw: ['wrap'],
  va: ['verticalAlign'],
  w: ['width'],
}
/** Sizes that components take when none is named. */
const DEFAULT_SIZES = ['1', '2', '3']
const DEFAULT_VARIANTS = ['solid', 'soft', 'surface']
/** Parts that several components share. */
const SHARED_PARTS: Record<string, string[]> = {
  BaseButton: ['Button', 'IconButton'],
  BaseCard: ['Card', 'CheckboxCards', 'RadioCards'],
  BaseCheckbox: ['Checkbox', 'CheckboxGroup', 'CheckboxCards'],
  BaseDialog: ['Dialog', 'AlertDialog'],
  BaseMenu: ['DropdownMenu', 'ContextMenu'],
  BaseRadio: ['Radio', 'RadioGroup'],
  BaseTabList: ['TabNav', 'Tabs'],
  PopperContent: ['DropdownMenu', 'ContextMenu', 'HoverCard', 'Popover', 'Select', 'Tooltip'],
}
const DARK = /\.dark\b/
const BREAKPOINT = /\.(xs|sm|md|lg|xl)\\:/
/** Every component of Radix Themes has a stylesheet of the same name. */
const COMPONENTS = globSync('node_modules/@radix-ui/themes/src/components/*.css').map((path) =>
  basename(path, '.css').replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase()),
)

const STYLESHEET = 'app/ui/theme.css'

export function trimRadix(): Plugin {
  return {
    postcssPlugin: 'trim-radix',
    OnceExit(root, { result, AtRule }) {
      if (!root.source?.input.file?.includes(STYLESHEET)) return
      result.messages.push({
        type: 'dir-dependency',
        plugin: 'trim-radix',
        dir: 'app',
        glob: '**/*.{tsx,css}',
        parent: root.source.input.file,
      })
      const used = readUse()
      root.walkAtRules((rule) => {
        if (rule.name === 'font-face' || rule.params.includes('display-p3')) rule.remove()
      })
      root.walkRules((rule) => keepUsed(rule, used))
      root.walkDecls(dropScaling)
      root.walkRules((rule) => followPreference(rule, (css) => new AtRule(css)))
      dropUnusedProperties(root, `${used.text}${readAll('app/**/*.css')}`)
      dropUnusedAnimations(root)
      root.walkComments((comment) => void comment.remove())
      removeEmpty(root)
    },
  }
}

type Use = {
  text: string
  words: Set<string>
  properties: Set<string>
  components: Set<string>
  breakpoints: boolean
}

function readUse(): Use {
  const text = readAll('app/**/*.tsx')
  const words = new Set(text.match(/(?<=["'`])[\w.-]+(?=["'`])/g))
  const properties = new Set(text.match(/\b[a-z]+[A-Za-z]*(?=[=:])/g))
  const imported = [...text.matchAll(/import \{([^}]+)\} from '@radix-ui\/themes'/g)].flatMap(
    ([, names = '']) => names.match(/\w+/g) ?? [],
  )
  const written = COMPONENTS.filter((name) => text.includes(`rt-${name}`))
  const parts = text.match(/(?<=\brt-)Base[A-Z][a-z]+/g) ?? []
  return {
    text,
    words,
    properties,
    components: new Set([...imported, ...written, ...parts]),
    breakpoints: /\b(xs|sm|md|lg|xl): ['"]/.test(text),
  }
}

function readAll(pattern: string): string {
  return globSync(pattern)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
}

function keepUsed(rule: Rule, used: Use): void {
  const kept = rule.selectors.filter((selector) => isUsed(selector, used))
  if (kept.length === 0) rule.remove()
  else if (kept.length < rule.selectors.length) rule.selectors = kept
}

function isUsed(selector: string, used: Use): boolean {
  if (/:where\(\.(light|dark)|:has\(\.radix-themes/.test(selector)) return false
  if (BREAKPOINT.test(selector) && !used.breakpoints) return false
  const positive = selector.replace(/:not\((?:[^()]|\([^()]*\))*\)/g, '')
  const attributes = [...positive.matchAll(/\[data-(accent-color|gray-color|radius)='([^']+)'\]/g)]
  if (!attributes.every(([, , value = '']) => used.words.has(value) || used.text.includes(`"${value}"`)))
    return false
  return (positive.match(/\.-?(?:\w+\\:)?rt-[\w-]+/g) ?? []).every((name) => isClassUsed(name, used))
}

function isClassUsed(selector: string, used: Use): boolean {
  const name = selector.replace(/^\.(-?)(?:\w+\\:)?rt-/, '$1')
  if (used.text.includes(`rt-${name}`)) return true
  if (/^[A-Z]/.test(name)) return isComponentUsed(name, used)
  if (name.startsWith('variant-'))
    return DEFAULT_VARIANTS.includes(name.slice(8)) || used.words.has(name.slice(8))
  const [, minus, family = '', value = ''] = name.match(/^(-?)r-([a-z]+)-?(.*)$/) ?? []
  if (family === '') return true
  if (family === 'size') return DEFAULT_SIZES.includes(value) || used.words.has(value)
  const named = (PROPERTIES[family] ?? [family]).some((property) => used.properties.has(property))
  return named && (value === '' || used.words.has(`${minus}${value}`) || PROPERTIES[family]?.length === 2)
}

/** `TextFieldRoot` is a part of `TextField`, not of `Text`. */
function isComponentUsed(part: string, used: Use): boolean {
  const shared = Object.entries(SHARED_PARTS).find(([name]) => part.startsWith(name))
  if (shared) return shared.flat().some((name) => used.components.has(name))
  const owner = COMPONENTS.filter((name) => part.startsWith(name)).sort((a, b) => b.length - a.length)[0]
  return owner === undefined || used.components.has(owner)
}

/** `.dark` becomes a media query; paper is always light. */
function followPreference(rule: Rule, create: (css: { name: string; params: string }) => AtRule): void {
  if (rule.selector.includes('.light'))
    rule.selectors = [...new Set(rule.selectors.map((one) => (/^\.light/.test(one) ? ':root' : one)))]
  if (!DARK.test(rule.selector)) {
    rule.selector = rule.selector.replace(':not(.light, .light-theme)', '')
    return
  }
  const media = create({ name: 'media', params: 'screen and (prefers-color-scheme:dark)' })
  const inside = rule.selector.includes('.radix-themes')
  const copy = rule.clone({ selector: inside ? ':where(.radix-themes)' : ':root' })
  media.append(copy)
  rule.replaceWith(media)
}

/** Nothing but 100 % is used: the browser's own text size scales everything (see text-size.ts). */
function dropScaling(declaration: Declaration): void {
  declaration.value = declaration.value
    .replaceAll(' * var(--scaling)', '')
    .replaceAll(/calc\((-?[\d.]+px)\)/g, '$1')
}

/** Drops custom properties that nothing reads, and then those that only a dropped one read. */
function dropUnusedProperties(root: Root, text: string): void {
  for (let again = true; again; ) {
    again = false
    const read = new Set(text.match(/--[\w-]+/g))
    root.walkDecls((declaration) => {
      for (const [, name = ''] of declaration.value.matchAll(/var\(\s*(--[\w-]+)/g)) read.add(name)
    })
    root.walkDecls(/^--/, (declaration) => {
      if (read.has(declaration.prop)) return
      declaration.remove()
      again = true
    })
  }
}

function dropUnusedAnimations(root: Root): void {
  let read = ''
  root.walkDecls(/^animation/, (declaration) => {
    read += ` ${declaration.value}`
  })
  root.walkAtRules('keyframes', (rule) => {
    if (!read.includes(rule.params)) rule.remove()
  })
}

function removeEmpty(container: Container): void {
  container.each((node) => {
    if (!('nodes' in node) || node.nodes === undefined) return
    removeEmpty(node as Container)
    if (node.nodes.length === 0) node.remove()
  })
}
