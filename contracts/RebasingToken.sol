// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";

/// Balances are shares of a pot: when the owner grows the pot, every balance grows without a Transfer event, so that
/// summed transfers and `balanceOf` drift apart (the manner of staked coins).
contract RebasingToken is Owned {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    uint256 public totalShares;
    mapping(address => uint256) public sharesOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Rebased(uint256 totalSupply);

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        name = name_;
        symbol = symbol_;
        totalSupply = supply;
        totalShares = supply;
        sharesOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address holder) public view returns (uint256) {
        return (sharesOf[holder] * totalSupply) / totalShares;
    }

    /// Grows (or shrinks) all balances to `newSupply` in proportion.
    function rebase(uint256 newSupply) external onlyOwner {
        totalSupply = newSupply;
        emit Rebased(newSupply);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "RebasingToken: allowance too low");
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        uint256 shares = (value * totalShares) / totalSupply;
        require(sharesOf[from] >= shares, "RebasingToken: balance too low");
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        emit Transfer(from, to, value);
    }
}
