// A page that is read from disk may start no worker: an empty frame runs the script of the search instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "search";
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data: structuredClone(data) });
        this.onmessage?.(event);
        this.dispatchEvent(event);
      };
      const script = inside.document.createElement("script");
      this.loaded = new Promise((resolve) => { script.onload = resolve; });
      script.src = url;
      inside.document.body.append(script);
    }
    postMessage(data) {
      const copy = structuredClone(data);
      this.loaded.then(() => this.frame.contentWindow?.dispatchEvent(new MessageEvent("message", { data: copy })));
    }
    terminate() { this.frame.remove(); }
  };
}
