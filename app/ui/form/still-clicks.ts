/**
 * An error that appears when a field loses the focus must not move the button being pressed: the click would be lost.
 * So while a pointer is down, blur events are held back until it is up.
 */
import { useEffect } from 'react'

export function useStillClicks(): void {
  // Browsers dispatch blur before click.
  useEffect(() => {
    let isDown = false
    let left: EventTarget | null = null
    const press = () => {
      isDown = true
    }
    const hold = (event: FocusEvent) => {
      if (!isDown) return
      event.stopPropagation()
      left = event.target
    }
    const release = () => {
      setTimeout(() => {
        isDown = false
        const field = left
        left = null
        if (field instanceof HTMLElement && field.isConnected && field !== document.activeElement)
          field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
      })
    }
    window.addEventListener('pointerdown', press, true)
    window.addEventListener('focusout', hold, true)
    window.addEventListener('pointerup', release, true)
    window.addEventListener('pointercancel', release, true)
    return () => {
      window.removeEventListener('pointerdown', press, true)
      window.removeEventListener('focusout', hold, true)
      window.removeEventListener('pointerup', release, true)
      window.removeEventListener('pointercancel', release, true)
    }
  }, [])
}
