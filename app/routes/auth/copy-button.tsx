import { useId, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'

/** Appears only with JavaScript. Its tooltip says what it does, then that it did. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const id = useId()
  if (!useHydrated()) return null
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <span className="copy">
      <Button type="button" variant="soft" aria-describedby={id} onClick={copy}>
        Copy
      </Button>
      <span className="copy-tooltip" id={id} role="tooltip" data-copied={isCopied ? '' : undefined}>
        {isCopied ? 'Copied' : 'Copy to clipboard'}
      </span>
      <span className="hidden-words" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  )
}
