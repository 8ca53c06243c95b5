import { Button, Tooltip } from '@radix-ui/themes'
import { useState } from 'react'
import { useHydrated } from '#app/ui/hydrated.ts'

/** Needs a script, so it appears with it. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const [isOpen, setOpen] = useState(false)
  if (!useHydrated()) return null
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setOpen(true)
  }
  return (
    <Tooltip content={isCopied ? 'COPIED' : 'COPY'} open={isOpen} onOpenChange={setOpen}>
      <Button type="button" variant="soft" onClick={copy}>
        Copy
        <span className="hidden-words" role="status">
          {isCopied ? 'Copied' : ''}
        </span>
      </Button>
    </Tooltip>
  )
}
