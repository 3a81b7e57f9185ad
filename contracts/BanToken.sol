// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// Whoever buys anew can sell; the owner bans holders one by one, and those can move nothing any more.
contract BanToken is Token20, Owned {
    mapping(address => bool) public isBlacklisted;
    bool public paused;

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        _describe(name_, symbol_, 18);
        _mint(msg.sender, supply);
    }

    function setBlacklist(address[] calldata holders, bool yes) external onlyOwner {
        for (uint256 i = 0; i < holders.length; i++) isBlacklisted[holders[i]] = yes;
    }

    function pause() external onlyOwner {
        paused = true;
    }

    function unpause() external onlyOwner {
        paused = false;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!paused, "BanToken: paused");
        require(!isBlacklisted[from], "BanToken: banned");
        super._move(from, to, value);
    }
}
