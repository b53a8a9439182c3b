"""The words of archive-mem: plain frozen values, no behaviour beyond reading them."""
