// From disk a browser starts no worker. The search then runs in a hidden frame, which it takes for one.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super()
      this.waiting = []
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      this.frame = frame.contentWindow
      this.frame.postMessage = data => this.tell(this, data)
      const script = frame.contentDocument.createElement("script")
      script.src = address
      script.onload = () => {
        this.waiting.forEach(data => this.tell(this.frame, data))
        this.waiting = null
      }
      frame.contentDocument.body.append(script)
    }
    tell(target, data) {
      const event = new MessageEvent("message", { data })
      target.dispatchEvent(event)
      if (target === this && this.onmessage) this.onmessage(event)
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data)
      else this.tell(this.frame, data)
    }
    terminate() { this.frame.frameElement.remove() }
  }
  window.Worker = window.IFrameWorker
}
